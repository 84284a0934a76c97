package main

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	fileMax = tileWidth*(2+65_535) + 1
	timeout = 30 * time.Second
)

// source fetches the files of a log and counts them.
type source struct {
	prefix string
	files  int
	bytes  int
}

// client follows no redirect and asks no proxy: the log is judged by what its own address serves.
var client = &http.Client{
	Timeout:       timeout,
	Transport:     &http.Transport{},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (s *source) get(path string) ([]byte, error) {
	response, err := client.Get(s.prefix + "/" + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, fileMax))
	switch {
	case err != nil:
		return nil, err
	case response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone:
		return nil, refuse("%s: withheld (%d)", path, response.StatusCode)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s: status %d", path, response.StatusCode)
	case len(data) == fileMax:
		return nil, refuse("%s: too large", path)
	}
	s.files++
	s.bytes += len(data)
	return data, nil
}
