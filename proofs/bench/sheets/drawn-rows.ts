/** Rows as a sales team has them: eight columns of their own, and the fifteen that results add. */
import type { Cell } from '../../../src/lib/sheets/cell.ts'

export const OWN = ['Company', 'Website', 'E-mail', 'Reg No', 'Postcode', 'Employees', 'Since', 'Notes']

export function ownCells(index: number): Cell[] {
  const name = `harbour-lantern-${index}`
  return [
    `Harbour Lantern ${index} Limited`,
    `https://www.${name}.co.uk/`,
    index % 7 === 0 ? null : `hello@${name}.co.uk`,
    String(index % 16_000_000).padStart(8, '0'),
    `EX${index % 20} ${index % 9}AB`,
    index % 5_000,
    { date: new Date(Date.UTC(2000, 0, 1 + (index % 9_000))).toISOString().slice(0, 10) },
    index % 3 === 0 ? `Called twice, "no answer"; try again & ask for Jo (${index})` : '-',
  ]
}

type Added = { name: string; kind: 'text' | 'number' | 'date' | 'link' | 'long_text' }

export const ADDED: Added[] = [
  { name: 'Outcome', kind: 'text' },
  { name: 'Registered company', kind: 'text' },
  { name: 'Company number', kind: 'text' },
  { name: 'Status', kind: 'text' },
  { name: 'Registered office', kind: 'long_text' },
  { name: 'What it does', kind: 'long_text' },
  { name: 'Incorporated', kind: 'date' },
  { name: 'Employees on file', kind: 'number' },
  { name: 'Parent', kind: 'text' },
  { name: 'Confidence', kind: 'number' },
  { name: 'Quote', kind: 'long_text' },
  { name: 'Page', kind: 'link' },
  { name: 'Evidence', kind: 'link' },
  { name: 'Candidates', kind: 'long_text' },
  { name: 'Cost', kind: 'text' },
]

export function addedCells(index: number): Cell[] {
  const number = String(index % 16_000_000).padStart(8, '0')
  const site = `https://www.harbour-lantern-${index}.co.uk`
  return [
    'matched',
    `HARBOUR LANTERN ${index} LIMITED`,
    number,
    'Active',
    `${index} High Street, Exmouth, Devon, England, EX8 6XX`,
    'Processing of tea and coffee; Retail sale via mail order houses or via the internet',
    { date: '2013-04-19' },
    index % 300,
    index % 4 === 0 ? 'LANTERN HOLDINGS PLC' : null,
    { number: 0.96, format: '0%' },
    `Harbour Lantern ${index} Limited. Registered in England and Wales No. ${number}`,
    { text: `${site}/`, href: `${site}/` },
    { text: 'Evidence', href: `https://nameplate.example/evidence/${index}` },
    null,
    '1 credit',
  ]
}
