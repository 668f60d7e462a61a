module github.com/quarterjack/quarterjack/sdk/go

go 1.19
