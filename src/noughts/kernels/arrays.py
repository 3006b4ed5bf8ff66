"""The arrays that kernels take, by type and number of axes: `U64x2` is a C-ordered array of uint64 with two axes.

The annotations of a kernel are its signature: it is compiled for them, and what it is given is held to them. A kernel
writes into the arrays of its caller, but for those whose names begin with `Read`, which may be read-only.
"""

from typing import Annotated, Any

from numpy.typing import NDArray

Boolx1 = Annotated[NDArray[Any], "bool", 1]
F64x1 = Annotated[NDArray[Any], "float64", 1]
F64x2 = Annotated[NDArray[Any], "float64", 2]
I8x1 = Annotated[NDArray[Any], "int8", 1]
I8x2 = Annotated[NDArray[Any], "int8", 2]
I16x2 = Annotated[NDArray[Any], "int16", 2]
I32x1 = Annotated[NDArray[Any], "int32", 1]
I32x2 = Annotated[NDArray[Any], "int32", 2]
I64x1 = Annotated[NDArray[Any], "int64", 1]
I64x2 = Annotated[NDArray[Any], "int64", 2]
I64x3 = Annotated[NDArray[Any], "int64", 3]
U8x1 = Annotated[NDArray[Any], "uint8", 1]
U8x2 = Annotated[NDArray[Any], "uint8", 2]
U8x3 = Annotated[NDArray[Any], "uint8", 3]
U16x1 = Annotated[NDArray[Any], "uint16", 1]
U16x2 = Annotated[NDArray[Any], "uint16", 2]
U32x1 = Annotated[NDArray[Any], "uint32", 1]
U32x2 = Annotated[NDArray[Any], "uint32", 2]
U32x3 = Annotated[NDArray[Any], "uint32", 3]
U64x1 = Annotated[NDArray[Any], "uint64", 1]
U64x2 = Annotated[NDArray[Any], "uint64", 2]
U64x3 = Annotated[NDArray[Any], "uint64", 3]
ReadI8x1 = Annotated[NDArray[Any], "int8", 1, "read"]
ReadU64x1 = Annotated[NDArray[Any], "uint64", 1, "read"]
