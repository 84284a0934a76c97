import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';
import { checkValue, type SchemaFault, type SchemaRule } from './check-value.ts';
import { found } from './checks.ts';
import type { Finding } from './finding.ts';

const PATH = '$.extensions.bazaar';

const RULES: Readonly<Record<SchemaRule, string>> = {
  type: 'has another type',
  required: 'lacks a member that is required',
  enum: 'is none of the values that are allowed',
  const: 'is not the value that is required',
  additionalProperties: 'has a member that the schema does not allow',
  false: 'has a value where the schema allows none',
};

const FAULTS: Readonly<Record<SchemaFault, string>> = {
  too_deep: 'it is nested too deeply, or its references form a loop',
  too_large: 'it takes too many steps',
  foreign_reference: 'it refers to another document, which nobody may fetch',
  missing_reference: 'it refers to a part that is not there',
  not_a_schema: 'a part of it is no schema',
};

/** What discovery lists read of the terms. An extension belongs to version 2. */
export function bazaarFindings(terms: JsonObject, method: ProbeMethod): Finding[] {
  const extensions = member(terms, 'extensions');
  const bazaar = isJsonObject(extensions) ? member(extensions, 'bazaar') : undefined;
  if (bazaar === undefined) return [found('bazaar_missing', 'header', { path: '$.extensions' })];
  const info = isJsonObject(bazaar) ? member(bazaar, 'info') : undefined;
  const schema = isJsonObject(bazaar) ? member(bazaar, 'schema') : undefined;
  const input = isJsonObject(info) ? member(info, 'input') : undefined;
  if (!isJsonObject(info) || !isJsonObject(input) || !isJsonObject(schema))
    return [found('bazaar_malformed', 'header', { path: PATH })];
  return [...exampleFindings(info, schema), ...methodFindings(input, method)];
}

function exampleFindings(info: JsonObject, schema: JsonObject): Finding[] {
  const result = checkValue(info, schema);
  switch (result.kind) {
    case 'valid':
      return [];
    case 'unusable': {
      const problem = `The schema of extensions.bazaar cannot be used: ${FAULTS[result.why]}.`;
      return [found('bazaar_schema', 'header', { problem, path: `${PATH}.schema` })];
    }
    case 'invalid': {
      const problem = `The example in extensions.bazaar.info does not satisfy its own schema: it ${RULES[result.rule]}.`;
      return [found('bazaar_example', 'header', { problem, path: `${PATH}.info${result.path.slice(1)}` })];
    }
  }
}

function methodFindings(input: JsonObject, method: ProbeMethod): Finding[] {
  const declared = member(input, 'method');
  if (typeof declared !== 'string' || declared.toUpperCase() === method) return [];
  return [found('bazaar_method', 'header', { path: `${PATH}.info.input.method` })];
}
