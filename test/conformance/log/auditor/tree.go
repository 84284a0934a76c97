package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	tileHeight = 8
	tileWidth  = 1 << tileHeight
	sizeMax    = 50_000_000
)

// tree is what the entries alone give: nothing in it was read from a tile.
type tree struct {
	entries [][]byte
	hashes  storage
}

// storage has the hashes in the order of tlog.StoredHashes.
type storage []tlog.Hash

func (s storage) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		hashes[i] = s[index]
	}
	return hashes, nil
}

func rebuild(src *source, size int64) (*tree, error) {
	if size > sizeMax {
		return nil, refuse("a log of %d entries is too large for this auditor", size)
	}
	t := &tree{}
	for _, tile := range tilesOfLevel(0, size) {
		path := "tile/entries/" + strings.TrimPrefix(tilePath(tile), "tile/0/")
		data, err := src.get(path)
		if err != nil {
			return nil, err
		}
		entries, ok := parseBundle(data, tile.W)
		if !ok {
			return nil, refuse("%s: malformed bundle", path)
		}
		for _, entry := range entries {
			stored, err := tlog.StoredHashes(int64(len(t.entries)), entry, t.hashes)
			if err != nil {
				return nil, err
			}
			t.hashes = append(t.hashes, stored...)
			t.entries = append(t.entries, entry)
		}
	}
	return t, nil
}

func parseBundle(data []byte, count int) ([][]byte, bool) {
	var entries [][]byte
	for len(data) > 0 {
		if len(data) < 2 {
			return nil, false
		}
		length := int(binary.BigEndian.Uint16(data))
		if len(data) < 2+length {
			return nil, false
		}
		entries = append(entries, data[2:2+length])
		data = data[2+length:]
	}
	return entries, len(entries) == count
}

func (t *tree) rootAt(size int64) (tlog.Hash, error) {
	if size == 0 {
		return sha256.Sum256(nil), nil
	}
	return tlog.TreeHash(size, t.hashes)
}

func (t *tree) checkRoot(head *head) error {
	if head.size > int64(len(t.entries)) {
		return refuse("size %d is larger than the log", head.size)
	}
	root, err := t.rootAt(head.size)
	if err != nil {
		return err
	}
	if root != head.root {
		return refuse("the entries give another root for size %d", head.size)
	}
	return nil
}

// checkTiles compares every tile of every level with the one that the entries give.
func (t *tree) checkTiles(src *source) error {
	size := int64(len(t.entries))
	for level := 0; size>>(tileHeight*level) > 0; level++ {
		for _, tile := range tilesOfLevel(level, size) {
			path := tilePath(tile)
			served, err := src.get(path)
			if err != nil {
				return err
			}
			own, err := tlog.ReadTileData(tile, t.hashes)
			if err != nil {
				return err
			}
			if !bytes.Equal(served, own) {
				return refuse("%s: the entries give another tile", path)
			}
		}
	}
	return nil
}

// checkConsistency proves that an older head is a prefix; both are signed, so a failure is evidence.
func (t *tree) checkConsistency(old, head *head) error {
	if old.size > head.size {
		return refuse("the log went back from %d to %d", old.size, head.size)
	}
	if err := t.checkRoot(old); err != nil {
		return err
	}
	if old.size == 0 || old.size == head.size {
		return nil
	}
	proof, err := tlog.ProveTree(head.size, old.size, t.hashes)
	if err != nil {
		return err
	}
	if err := tlog.CheckTree(proof, head.size, head.root, old.size, old.root); err != nil {
		return refuse("not consistent with size %d: %v", old.size, err)
	}
	return nil
}

// checkProof verifies a tlog-proof file (c2sp.org/tlog-proof) for the entry that the log serves at its index.
func checkProof(file string, keys *keys, t *tree) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	top, note, ok := strings.Cut(string(data), "\n\n")
	lines := strings.Split(top, "\n")
	if !ok || lines[0] != "c2sp.org/tlog-proof@v1" {
		return refuse("not a proof file")
	}
	lines = lines[1:]
	if len(lines) > 0 && strings.HasPrefix(lines[0], "extra ") {
		lines = lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return refuse("no index")
	}
	index, err := parseDecimal(strings.TrimPrefix(lines[0], "index "))
	if err != nil {
		return err
	}
	var proof tlog.RecordProof
	for _, line := range lines[1:] {
		hash, err := parseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, hash)
	}
	head, err := keys.open([]byte(note))
	if err != nil {
		return err
	}
	if err := t.checkRoot(head); err != nil {
		return err
	}
	if index >= head.size {
		return refuse("index %d is outside of the tree", index)
	}
	leaf := tlog.RecordHash(t.entries[index])
	if err := tlog.CheckRecord(proof, head.size, head.root, index, leaf); err != nil {
		return refuse("entry %d: %v", index, err)
	}
	return nil
}

func tilesOfLevel(level int, size int64) []tlog.Tile {
	var tiles []tlog.Tile
	hashes := size >> (tileHeight * level)
	for n := int64(0); n<<tileHeight < hashes; n++ {
		width := hashes - n<<tileHeight
		if width > tileWidth {
			width = tileWidth
		}
		tiles = append(tiles, tlog.Tile{H: tileHeight, L: level, N: n, W: int(width)})
	}
	return tiles
}

// tilePath leaves out the height, which C2SP fixes.
func tilePath(tile tlog.Tile) string {
	return "tile/" + strings.TrimPrefix(tile.Path(), "tile/8/")
}
