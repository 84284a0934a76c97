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
      /^the sandbox needs the optional package @nomicfoundation\/edr-linux-riscv64-gnu, which is not installed$/,
    );
  });

  it('is not taken for granted when the package holds something else', () => {
    const load = () => ({ EdrContext: 1 });
    expect(() => loadEvmBinding({ platform: 'linux', arch: 'x64', load })).toThrow(
      /^the package @nomicfoundation\/edr-linux-x64-gnu is not the one that the sandbox knows$/,
    );
  });
});
