import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { askFaultText } from './ask-fault-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

function faultOf(write: () => void): unknown {
  try {
    write();
  } catch (fault) {
    return fault;
  }
  return null;
}

describe('a fault of a command that asks', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');

  it.each<[path: string, why: string]>([
    [join(folder, 'nowhere', 'k'), 'no such folder'],
    [join(file, 'k'), 'no such folder'],
    [folder, 'it is a folder'],
  ])('says which file cannot be written, and why: %s', (path, why) => {
    expect(askFaultText(faultOf(() => writeFileSync(path, '')))).toBe(`cannot write ${path}: ${why}`);
  });

  it.each<[syscall: string, code: string, text: string]>([
    // The same call opens a file to read, such as the memory of a log.
    ['open', 'EACCES', 'cannot open /m: no permission'],
    ['open', 'EPERM', 'cannot open /m: no permission'],
    ['mkdir', 'EACCES', 'cannot write /m: no permission'],
    ['rename', 'EPERM', 'cannot write /m: no permission'],
    // Nothing that is read fails so: it counts as missing.
    ['open', 'ENOENT', 'cannot write /m: no such folder'],
    ['open', 'EROFS', 'cannot write /m: its disk is read-only'],
  ])('does not claim that a file to be read was to be written: %s, %s', (syscall, code, text) => {
    expect(askFaultText(Object.assign(new Error('x'), { code, syscall, path: '/m' }))).toBe(text);
  });

  it('prints no escape sequence of a name', () => {
    const fault = Object.assign(new Error('x'), { code: 'EACCES', path: '/a\u001b[31m' });
    expect(askFaultText(fault)).not.toContain('\u001b');
  });

  it('is the message of any other', () => {
    expect(askFaultText(new Error('invalid setting: PORT'))).toBe('invalid setting: PORT');
    expect(askFaultText(Object.assign(new Error('EIO'), { code: 'EIO', path: '/a' }))).toBe('EIO');
  });
});
