"""Pictures: boards, trees and charts as SVG, PNG, PDF, DOT and text.

Everything here takes plain values (a shape, a string of marks, numbers), so that all higher packages can use it.
"""

from noughts._names import lazily

__getattr__, __dir__ = lazily(__name__, __path__[0])
