import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type LockFile, nameOf, readJson } from './lock-file.ts'

/** Ask for no more than a notice. */
const ALLOWED = new Set(
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 CC0-1.0 Unlicense Python-2.0 PSF-2.0'.split(
    ' ',
  ),
)

/** Licences that ask for more, or are not in the usual field: each with the reason why we may use it. */
const EXCEPTIONS: ReadonlyArray<{ name: RegExp; licence: string; devOnly: boolean; why: string }> = [
  { name: /^@fontsource-variable\/inter$/, licence: 'OFL-1.1', devOnly: false, why: 'a typeface, served unchanged' },
  {
    name: /^@expo-google-fonts\/inter$/,
    licence: 'MIT AND OFL-1.1',
    devOnly: false,
    why: 'a typeface, embedded in documents, which its licence allows',
  },
  {
    name: /^dejavu-fonts-ttf$/,
    licence: 'SEE LICENSE IN README.md AND LICENSE',
    devOnly: false,
    why: 'its LICENSE is that of Bitstream Vera and Arev: a typeface may be embedded and passed on unchanged',
  },
  { name: /^axe-core$/, licence: 'MPL-2.0', devOnly: true, why: 'run by tests, unchanged and not passed on' },
  {
    name: /^lightningcss(-|$)/,
    licence: 'MPL-2.0',
    devOnly: true,
    why: 'run by the build, unchanged and not passed on',
  },
  { name: /^caniuse-lite$/, licence: 'CC-BY-4.0', devOnly: true, why: 'data read by a tool, not passed on' },
  { name: /^pause-stream$/, licence: 'MIT OR Apache2', devOnly: true, why: 'MIT is one of the two it offers' },
  { name: /^pako$/, licence: '(MIT AND Zlib)', devOnly: false, why: 'both ask for no more than a notice' },
  { name: /^map-stream$/, licence: 'none', devOnly: true, why: 'its LICENCE file is the MIT licence' },
]

export interface LicenceCheck {
  /** Packages by licence. */
  counts: Map<string, number>
  notInstalled: number
  problems: string[]
}

/** Checks every installed package by its own manifest. */
export function checkLicences(root: string, lock: LockFile): LicenceCheck {
  const check: LicenceCheck = { counts: new Map(), notInstalled: 0, problems: [] }
  for (const [folder, { dev = false }] of Object.entries(lock.packages)) {
    if (folder === '') continue
    if (!existsSync(join(root, folder, 'package.json'))) {
      check.notInstalled += 1
      continue
    }
    const licence = readLicence(readJson(root, `${folder}/package.json`) as InstalledManifest)
    check.counts.set(licence, (check.counts.get(licence) ?? 0) + 1)
    const problem = findLicenceProblem({ name: nameOf(folder), licence, dev })
    if (problem) check.problems.push(problem)
  }
  return check
}

export function findLicenceProblem(used: { name: string; licence: string; dev: boolean }): string | null {
  const { name, licence, dev } = used
  if (isAllowed(licence)) return null
  const exception = EXCEPTIONS.find((one) => one.name.test(name) && one.licence === licence)
  if (!exception) return `${name}: its licence (${licence}) is not on the list`
  return exception.devOnly && !dev ? `${name}: ${licence} is accepted in development only` : null
}

/** One of several alternatives is enough; of licences that apply together, each counts. */
function isAllowed(expression: string): boolean {
  const text = expression.replaceAll(/[()]/g, '')
  return text.split(' OR ').some((choice) => choice.split(' AND ').every((part) => ALLOWED.has(part.trim())))
}

interface InstalledManifest {
  license?: string | { type: string } | string[]
  licenses?: Array<{ type: string }>
}

function readLicence({ license, licenses }: InstalledManifest): string {
  const named = license ?? licenses ?? []
  const all = [named].flat().map((one) => (typeof one === 'string' ? one : one.type))
  return all.join(' OR ') || 'none'
}
