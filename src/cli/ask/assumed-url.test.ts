import { expect, it } from 'vitest';
import { assumedUrl } from './assumed-url.ts';

it.each<[string, string | null]>([
  ['api.example.com', 'https://api.example.com'],
  ['api.example.com/x?a=b#c', 'https://api.example.com/x?a=b#c'],
  ['API.Example.COM:8443/x', 'https://API.Example.COM:8443/x'],
  ['api.example.com?q=1', 'https://api.example.com?q=1'],
  ['93.184.216.34/x', 'https://93.184.216.34/x'],
  // Servers under development speak plain HTTP.
  ['localhost:4021/weather', 'http://localhost:4021/weather'],
  ['localhost', 'http://localhost'],
  ['127.0.0.1:4402', 'http://127.0.0.1:4402'],
  ['[::1]:4402/x', 'http://[::1]:4402/x'],
  ['https://api.example.com', null],
  ['ftp://api.example.com', null],
  ['mailto:a@b.example', null],
  ['user@api.example.com/x', null],
  ['weather', null],
  ['payapi-weather', null],
  ['sc-00010203fcfdfeff', null],
  ['./api.example.com', null],
  ['/etc/passwd', null],
  ['-', null],
  ['', null],
  ['api..example.com', null],
  ['api.example.com x', null],
  [`${'a.'.repeat(5_000)}!`, null],
])('%s', (word, url) => {
  expect(assumedUrl(word)).toBe(url);
});
