import { LOOKUP_PAID, PACK } from '../payment/paid-routes.ts';
import type { Paths } from './frame.ts';
import type { JsonObject } from './json-schema.ts';

/** The paths of a service without a wallet: only what is free, and nothing about payment (gap G66). */
export function withoutSales(paths: Paths): Paths {
  const free = Object.entries(paths).filter(([path]) => path !== LOOKUP_PAID.path && path !== PACK.path);
  return Object.fromEntries(free.map(([path, operations]) => [path, mapValues(operations, freeOperation)]));
}

/** No operation refers to it any more. */
export function withoutPack({ Pack: _, ...schemas }: JsonObject): JsonObject {
  return schemas;
}

const PAYMENT_PARAMETERS = /\/(?:PaymentSignature|XPayment|X402Version)$/;
const PAYMENT_HEADERS = new Set(['PAYMENT-RESPONSE', 'PAYMENT-REQUIRED']);

function freeOperation(operation: unknown): unknown {
  if (!isObject(operation)) return operation;
  const { parameters, responses, ...rest } = operation;
  return {
    ...rest,
    parameters: Array.isArray(parameters) ? parameters.filter((one) => !isPaymentParameter(one)) : [],
    responses: isObject(responses) ? freeResponses(responses) : {},
  };
}

function isPaymentParameter(parameter: unknown): boolean {
  return isObject(parameter) && PAYMENT_PARAMETERS.test(String(parameter['$ref'] ?? ''));
}

/** No 402; the answers do not announce a settlement. */
function freeResponses(responses: JsonObject): JsonObject {
  const { 402: _, ...free } = responses;
  return mapValues(free, (response) => {
    if (!isObject(response) || !isObject(response['headers'])) return response;
    const headers = Object.entries(response['headers']).filter(([name]) => !PAYMENT_HEADERS.has(name));
    return { ...response, headers: Object.fromEntries(headers) };
  });
}

function mapValues(object: JsonObject, map: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
