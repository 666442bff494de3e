# examples/encrypted.py
import tasuki

server = tasuki.connect("tasukis://localhost:7777", token_file="ann.token", ca_file="authority.pem")
print(server.linpack.solve([[2.0, 1.0], [1.0, 3.0]], [5.0, 10.0]))
