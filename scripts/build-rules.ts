import { writeFileSync } from 'node:fs';
import { RULES_VERSION } from '../src/core/verdict/verdict.ts';
import { bundleRules } from './bundle-rules.ts';

/** Writes the rules file of this version; run it after `RULES_VERSION` was raised, and commit what it writes. */
const text = await bundleRules();
const file = `rules/${RULES_VERSION}.mjs`;
writeFileSync(file, text);
process.stdout.write(`${file}: ${Buffer.byteLength(text)} bytes\n`);
