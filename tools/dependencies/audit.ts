import { execFile } from 'node:child_process'

const TIMEOUT_MS = 8_000
const OUTPUT_BYTES_MAX = 20_000_000
const GRAVE = ['high', 'critical'] as const

export type Audit = { kind: 'clean' } | { kind: 'found'; advisories: string[] } | { kind: 'unknown'; why: string }

interface Answer {
  message?: string
  vulnerabilities?: Record<string, { severity: string; range: string }>
}

/** Asks the registry what is known against what production runs on. A registry need not offer that. */
export function auditProduction(root: string): Promise<Audit> {
  const argv = ['audit', '--omit=dev', '--audit-level=high', '--json']
  const options = { cwd: root, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES_MAX }
  return new Promise((resolve) => {
    execFile('npm', argv, options, (error, stdout) => {
      resolve(error?.killed ? { kind: 'unknown', why: 'no answer in time' } : readAudit(stdout))
    })
  })
}

/** Counts findings from "high" on. An output that is not a list of findings is no all-clear. */
export function readAudit(output: string): Audit {
  const answer = parse(output)
  if (!answer?.vulnerabilities) {
    return { kind: 'unknown', why: answer?.message?.split(' - ')[0] ?? 'no answer that could be read' }
  }
  const advisories = Object.entries(answer.vulnerabilities)
    .filter(([, { severity }]) => GRAVE.some((grave) => grave === severity))
    .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`)
  return advisories.length > 0 ? { kind: 'found', advisories } : { kind: 'clean' }
}

function parse(output: string): Answer | null {
  try {
    return JSON.parse(output) as Answer
  } catch {
    return null
  }
}
