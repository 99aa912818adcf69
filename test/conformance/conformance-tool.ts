/** Runs `@modelcontextprotocol/conformance` against a server: all that a revision of the protocol requires. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const TOOL = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const RUN_MS_MAX = 300_000
const SCENARIO_MS_MAX = 60_000

export interface Check {
  scenario: string
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

export interface ConformanceRun {
  /** 0 when nothing failed but what the baseline expects, and all of that did. */
  exitCode: number | null
  checks: Check[]
  output: string
}

export async function runConformance(run: { url: URL; revision: string; baseline: string }): Promise<ConformanceRun> {
  const folder = await mkdtemp(join(tmpdir(), 'nameplate-conformance-'))
  try {
    const options = ['--url', run.url.href, '--requirements', run.revision, '--expected-failures', run.baseline]
    const limits = ['--output-dir', folder, '--timeout', String(SCENARIO_MS_MAX)]
    const child = spawn(process.execPath, [TOOL, 'server', ...options, ...limits], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: RUN_MS_MAX,
      killSignal: 'SIGKILL',
    })
    const ended = once(child, 'exit')
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { exitCode: child.exitCode, checks: await readChecks(folder), output: output + errors }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One folder a scenario: `server-<scenario>-<time>`. */
async function readChecks(folder: string): Promise<Check[]> {
  const checks: Check[] = []
  for (const name of await readdir(folder)) {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '')
    const found = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Check[]
    checks.push(...found.map((check) => ({ ...check, scenario })))
  }
  return checks
}
