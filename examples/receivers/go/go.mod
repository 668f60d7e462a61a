module example.com/receiver

go 1.19

require github.com/quarterjack/quarterjack/sdk/go v0.1.0

replace github.com/quarterjack/quarterjack/sdk/go => ../../../sdk/go
