/** Endings that mean the same have one word; COMPANY stays as it is written. The longer of two comes first. */
const ENDINGS: ReadonlyArray<[ending: RegExp, form: string]> = [
  [/ (?:PLC|PUBLIC LIMITED COMPANY|CCC|CWMNI CYFYNGEDIG CYHOEDDUS)$/, 'plc'],
  [/ (?:LLP|LIMITED LIABILITY PARTNERSHIP|PAC|PARTNERIAETH ATEBOLRWYDD CYFYNGEDIG)$/, 'llp'],
  [/ (?:LP|LIMITED PARTNERSHIP)$/, 'lp'],
  [/ (?:CIC|COMMUNITY INTEREST COMPANY|CWMNI BUDDIANT CYMUNEDOL)$/, 'cic'],
  [/ (?:LIMITED|LTD|CYFYNGEDIG|CYF)$/, 'limited'],
]

/** Returns the legal form in a name: `limited`, `plc`, `llp`, `lp` or `cic`; null when it has none. */
export function findLegalForm(name: string): string | null {
  const plain = name
    .toUpperCase()
    .replaceAll('.', '')
    .replaceAll(/[^A-Z0-9]+/g, ' ')
    .trimEnd()
  return ENDINGS.find(([ending]) => ending.test(plain))?.[1] ?? null
}
