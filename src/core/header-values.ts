/** HTTP fields in the order they came, repeated ones apart. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

/** All values of a field; names are compared without letter case. */
export function headerValues(fields: HeaderFields, lowerCaseName: string): string[] {
  const values: string[] = [];
  for (const [name, value] of fields) if (name.toLowerCase() === lowerCaseName) values.push(value);
  return values;
}
