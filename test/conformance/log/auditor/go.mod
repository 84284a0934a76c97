module assay.example/auditor

go 1.19

require golang.org/x/mod v0.7.0

// Where the Debian package golang-golang-x-mod-dev installs it: building needs no network.
replace golang.org/x/mod => /usr/share/gocode/src/golang.org/x/mod
