import { writeFileSync } from 'node:fs';
import { compileContracts } from './compile-contracts.ts';

/** Writes the artifacts that the sandbox loads; run it after a change of `contracts/` and commit what it writes. */
for (const artifact of await compileContracts()) {
  const file = `contracts/artifacts/${artifact.contract}.json`;
  writeFileSync(file, `${JSON.stringify(artifact, null, 2)}\n`);
  process.stdout.write(`${file}: ${(artifact.code.length - 2) / 2} bytes\n`);
}
