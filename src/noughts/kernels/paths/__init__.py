"""Numbers of paths over the perfect index, from layer to layer."""
