import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadEvmBinding } from './evm-binding.ts';

const known = { EdrContext: 1, ContractDecoder: 1, opProviderFactory: 1, opGenesisState: 1 };

describe('the EVM for this machine', () => {
  it.each([
    ['linux', 'arm64', '@nomicfoundation/edr-linux-arm64-gnu'],
    ['linux', 'x64', '@nomicfoundation/edr-linux-x64-gnu'],
    ['darwin', 'arm64', '@nomicfoundation/edr-darwin-arm64'],
    ['win32', 'x64', '@nomicfoundation/edr-win32-x64-msvc'],
  ])('is, on %s and %s, %s', (platform, arch, name) => {
    const asked: string[] = [];
    const load = (wanted: string) => {
      asked.push(wanted);
      return known;
    };
    expect(loadEvmBinding({ platform, arch, load })).toBe(known);
    expect(asked).toEqual([name]);
  });

  it('is missed in one line that says what to install', () => {
    const load = () => {
      throw new Error('Cannot find module\nRequire stack:\n- somewhere');
    };
    expect(() => loadEvmBinding({ platform: 'linux', arch: 'riscv64', load })).toThrow(
      /^the sandbox needs a package that is not installed: npm install @nomicfoundation\/edr-linux-riscv64-gnu@0\.13\.0$/,
    );
  });

  it.each(['arm64', 'x64'])('is the same release as in a checkout on %s', (arch) => {
    const file = new URL(`../../../tools/chain/linux-${arch}/package.json`, import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8')).dependencies).toEqual({
      [`@nomicfoundation/edr-linux-${arch}-gnu`]: '0.13.0',
    });
  });

  it('is not taken for granted when the package holds something else', () => {
    const load = () => ({ EdrContext: 1 });
    expect(() => loadEvmBinding({ platform: 'linux', arch: 'x64', load })).toThrow(
      /^the package @nomicfoundation\/edr-linux-x64-gnu is not the one that the sandbox knows$/,
    );
  });
});
