/**
 * What a run showed, kept in docs/proof/<name>.json and told in docs/proof.md: figures against their goals, with the day,
 * the machine and the versions. The page is written from the records alone, so that no figure is ever typed by hand.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../../src/version.ts'
import { type ProofRecord, renderProof } from './render.ts'

/** What a run proves, in the words of docs/proof.md. */
export interface Proof {
  title: string
  /** What was done and how it was checked: a paragraph. */
  about: string
  figures: Record<string, ProvenFigure>
}

export interface ProvenFigure {
  label: string
  unit?: string
  atMost?: number
  atLeast?: number
  /** What keeps the figure from its goal, told only while the goal is missed. */
  limitedBy?: string
}

/** What a run answers beside its figures. */
export interface ProofExtras {
  /** Of the programs that took part, beside Node and Nameplate. */
  versions?: Record<string, string>
  /** Markdown under the figures: a table, a picture. */
  details?: string
}

const ROOT = join(import.meta.dirname, '../..')
const RECORDS = join(ROOT, 'docs/proof')
const PAGE = join(ROOT, 'docs/proof.md')

export function recordProof(
  { name, command, proof }: { name: string; command: string; proof: Proof },
  report: Record<string, unknown> & ProofExtras,
): void {
  const record: ProofRecord = {
    name,
    title: proof.title,
    about: proof.about,
    command,
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    versions: { Nameplate: `${VERSION} (${readCommit()})`, Node: process.versions.node, ...report.versions },
    figures: Object.entries(proof.figures).map(([figure, described]) => {
      const value = report[figure]
      if (typeof value !== 'number' && typeof value !== 'string') throw new Error(`${name} measured no ${figure}`)
      return { figure, value, ...described }
    }),
    ...(report.details ? { details: report.details } : {}),
  }
  mkdirSync(RECORDS, { recursive: true })
  writeFileSync(join(RECORDS, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`)
  writeFileSync(PAGE, renderProof(readRecords()))
}

export function readRecords(): ProofRecord[] {
  return readdirSync(RECORDS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(RECORDS, file), 'utf8')) as ProofRecord)
}

function describeMachine(): string {
  const [cpu] = cpus()
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${readDistribution()}`
}

function readDistribution(): string {
  return /^PRETTY_NAME="(.+)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? process.platform
}

function readCommit(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
}
