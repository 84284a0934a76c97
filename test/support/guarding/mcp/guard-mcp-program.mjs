/** `assay guard mcp` as a process: the policy file, then `--url` and an address, or the command of a server. */
import { runGuardMcp } from '../../../../dist/main/commands/guard/mcp.js';
import { STANDARD_OUTPUT } from '../../../../dist/main/commands/output.js';

const [, , policy, ...words] = process.argv;
const server = words[0] === '--url' ? { url: words[1] } : { command: words };
process.exitCode = await runGuardMcp(policy, server, STANDARD_OUTPUT);
