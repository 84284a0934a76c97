export type SlotValue = string | readonly Slots[];
export interface Slots {
  readonly [name: string]: SlotValue;
}

/** The part of Mustache that the template uses: a slot, a block for each entry, and a block for none. */
export function fillTemplate(template: string, slots: Slots): string {
  return fill(template.replace(TAG_ON_ITS_OWN_LINE, '$1'), slots);
}

const TAG_ON_ITS_OWN_LINE = /^[ \t]*(\{\{[#^/]\w+\}\})[ \t]*\n/gm;
const BLOCK = /\{\{([#^])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g;
const SLOT = /\{\{(\w+)\}\}/g;

function fill(template: string, slots: Slots): string {
  return template
    .replace(BLOCK, (_, mark: string, name: string, inner: string) => {
      const entries = entriesOf(slots, name);
      if (mark === '^') return entries.length === 0 ? fill(inner, slots) : '';
      return entries.map((entry) => fill(inner, { ...slots, ...entry })).join('');
    })
    .replace(SLOT, (_, name: string) => escapeText(slots[name]));
}

function entriesOf(slots: Slots, name: string): readonly Slots[] {
  const value = slots[name] ?? '';
  if (typeof value !== 'string') return value;
  return value === '' ? [] : [slots];
}

// Braces too: a value that looks like a slot must not be filled by the round that follows.
function escapeText(value: SlotValue | undefined): string {
  if (typeof value !== 'string') throw new Error('a slot holds text and nothing else');
  return value.replace(/[&<>"'{}]/g, (character) => `&#${character.charCodeAt(0)};`);
}
