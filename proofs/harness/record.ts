/**
 * Stores what a run measured in docs/proof/<name>.json, with the day, the machine and the versions, and writes docs/proof.md
 * from all records, so that no figure is ever typed by hand.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../../src/version.ts'
import { type Proof, type ProofRecord, renderProof } from './render.ts'

/** A run reports this beside its figures. */
export interface ProofExtras {
  /** Versions of other programs than Node and Nameplate. */
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
