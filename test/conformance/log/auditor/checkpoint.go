package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type head struct {
	origin   string
	size     int64
	root     tlog.Hash
	cosigned int
}

type keys struct {
	log       note.Verifier
	origin    string
	witnesses []note.Verifier
	quorum    int
}

func newKeys(vkey, origin string, witnesses []string, quorum int) (*keys, error) {
	log, err := note.NewVerifier(vkey)
	if err != nil {
		return nil, err
	}
	if origin == "" {
		origin = log.Name()
	}
	k := &keys{log: log, origin: origin, quorum: quorum}
	for _, text := range witnesses {
		witness, err := newCosigner(text)
		if err != nil {
			return nil, err
		}
		k.witnesses = append(k.witnesses, witness)
	}
	return k, nil
}

func (k *keys) withoutQuorum() *keys {
	return &keys{log: k.log, origin: k.origin, witnesses: k.witnesses}
}

// open verifies the signatures of a checkpoint (c2sp.org/tlog-checkpoint) and reads it.
func (k *keys) open(text []byte) (*head, error) {
	opened, err := note.Open(text, note.VerifierList(append([]note.Verifier{k.log}, k.witnesses...)...))
	if err != nil {
		return nil, refuse("note: %v", err)
	}
	for _, sig := range append(opened.Sigs, opened.UnverifiedSigs...) {
		// Package note ignores the spare bits of the last character; here one text has one spelling.
		if _, err := base64.StdEncoding.Strict().DecodeString(sig.Base64); err != nil {
			return nil, refuse("note: signature of %s: %v", sig.Name, err)
		}
	}
	h, err := parseHead(opened.Text)
	if err != nil {
		return nil, err
	}
	isSigned := false
	for _, sig := range opened.Sigs {
		if sig.Name == k.log.Name() && sig.Hash == k.log.KeyHash() {
			isSigned = true
		} else {
			h.cosigned++
		}
	}
	switch {
	case !isSigned:
		return nil, refuse("not signed by the log")
	case h.origin != k.origin:
		return nil, refuse("origin is %q, not %q", h.origin, k.origin)
	case h.cosigned < k.quorum:
		return nil, refuse("%d of %d cosignatures", h.cosigned, k.quorum)
	}
	return h, nil
}

func parseHead(text string) (*head, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[len(lines)-1] != "" {
		return nil, refuse("too few lines")
	}
	for _, line := range lines[:len(lines)-1] {
		if line == "" {
			return nil, refuse("empty line")
		}
	}
	size, err := parseDecimal(lines[1])
	if err != nil {
		return nil, err
	}
	root, err := parseHash(lines[2])
	if err != nil {
		return nil, err
	}
	return &head{origin: lines[0], size: size, root: root}, nil
}

func parseDecimal(text string) (int64, error) {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < 0 || strconv.FormatInt(value, 10) != text {
		return 0, refuse("%q is not a decimal number", text)
	}
	return value, nil
}

func parseHash(text string) (tlog.Hash, error) {
	var hash tlog.Hash
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(data) != len(hash) {
		return hash, refuse("%q is not a hash", text)
	}
	copy(hash[:], data)
	return hash, nil
}

// cosigner verifies timestamped signatures (c2sp.org/tlog-cosignature, type 4), which package note does not know.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

const cosignatureType = 4

func newCosigner(vkey string) (*cosigner, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, errors.New("malformed witness key")
	}
	data, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(data) != 1+ed25519.PublicKeySize || data[0] != cosignatureType {
		return nil, errors.New("malformed witness key")
	}
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), data...))
	if fmt.Sprintf("%x", sum[:4]) != parts[1] {
		return nil, errors.New("the id of a witness key is not its hash")
	}
	return &cosigner{name: parts[0], hash: binary.BigEndian.Uint32(sum[:4]), key: data[1:]}, nil
}

func (c *cosigner) Name() string    { return c.name }
func (c *cosigner) KeyHash() uint32 { return c.hash }

func (c *cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(sig)
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, msg)
	return time <= math.MaxInt64 && ed25519.Verify(c.key, []byte(signed), sig[8:])
}
