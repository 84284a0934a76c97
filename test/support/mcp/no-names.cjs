// For a child process: no name resolves, and no question leaves the machine. The built program shares this prototype.
const dns = require('node:dns/promises');

const unknown = async () => {
  throw Object.assign(new Error('no name resolves here'), { code: 'ENOTFOUND' });
};
for (const ask of ['resolve4', 'resolve6', 'resolveTxt']) dns.Resolver.prototype[ask] = unknown;
dns.lookup = unknown;
