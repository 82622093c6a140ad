param.cap = 1
