import { expect, test } from 'vitest'
import { toNameKey } from './name-key.ts'

test.each([
  ['ACME LIMITED', 'ACME'],
  ['Acme Ltd.', 'ACME'],
  ['ACME PUBLIC LIMITED COMPANY', 'ACME'],
  ['ACME P.L.C.', 'ACME'],
  ['ACME COMMUNITY INTEREST COMPANY', 'ACME'],
  ['ACME C.I.C.', 'ACME'],
  ['ACME LIMITED LIABILITY PARTNERSHIP', 'ACME'],
  ['ACME LIMITED LLP', 'ACME'],
  ['BARA CYFYNGEDIG', 'BARA'],
  ['SMITH & JONES LTD', 'SMITH AND JONES'],
  ['SMITH+JONES', 'SMITH AND JONES'],
  ['Smith and Jones', 'SMITH AND JONES'],
  ['SMITH & CO. LIMITED', 'SMITH AND CO'],
  ['SMITH & COMPANY LIMITED', 'SMITH AND CO'],
  ['THE OLD MILL COMPANY LIMITED', 'OLD MILL CO'],
  ["O'BRIEN'S BAR LIMITED", 'OBRIENS BAR'],
  ['O’BRIEN’S BAR', 'OBRIENS BAR'],
  ['J.B. SMITH (BUILDERS) LIMITED', 'JB SMITH BUILDERS'],
  ['A-Z CARS 24/7 LTD', 'A Z CARS 24 7'],
  ['Café Zoë Łódź Ltd', 'CAFE ZOE LODZ'],
  ['STRAßE BROT LTD', 'STRASSE BROT'],
  ['ＡＣＭＥ LTD', 'ACME'],
  ['  ACME   WIDGETS  ', 'ACME WIDGETS'],
  ['LIMITED', 'LIMITED'],
  ['LIMITED LIMITED', 'LIMITED'],
  ['THE', 'THE'],
  ['THE LIMITED', 'THE'],
  ['LIMITED EDITIONS LTD', 'LIMITED EDITIONS'],
  ['🎉', ''],
  ['', ''],
])('%s is compared as %s', (name, key) => {
  expect(toNameKey(name)).toBe(key)
})

test('applying it twice changes nothing', () => {
  for (const name of ['ACME LTD', 'THE A & B COMPANY LLP', "O'NEILL CIC"])
    expect(toNameKey(toNameKey(name))).toBe(toNameKey(name))
})
