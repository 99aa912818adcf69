/**
 * Runs the README as a newcomer would: `npm run dev`, then the first call as pasted. Fails when the answer lacks something
 * that the README shows; it shows less than there is. Then, against the same deployment, the contract row by row and the
 * examples of the documentation. With `--visits` instead, in a browser, a newcomer's first visit, a spreadsheet and five tasks.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findDifference } from './promised-answer.ts'

const ROOT = join(import.meta.dirname, '..')
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 60_000

const VISITS = [
  ['first-visit', 'a first visit got stuck'],
  ['spreadsheet-visit', 'a person with a spreadsheet got stuck'],
  ['tasks', 'a task got stuck'],
] as const

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
const [call, answer] = [blockAfter('## First call', 'sh'), blockAfter('## First call', 'json')]

const startedAt = Date.now()
// A group of its own, so that the end can be signalled to all of it, as Ctrl-C in a terminal does.
const dev = spawn('npm', ['run', 'dev'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
let output = ''
dev.stdout.on('data', (chunk: Buffer) => {
  output += chunk.toString()
})
const exited = new Promise<number | null>((resolve) => dev.once('exit', resolve))
try {
  while (!output.includes('Try it:')) {
    if (Date.now() - startedAt > START_TIMEOUT_MS) throw new Error(`npm run dev was not ready in time:\n${output}`)
    if (dev.exitCode !== null) throw new Error(`npm run dev ended with ${dev.exitCode}:\n${output}`)
    await sleep(100)
  }
  console.log(`npm run dev was ready in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`)
  if (process.argv.includes('--visits')) visit()
  else compare()
} finally {
  if (dev.pid !== undefined && dev.exitCode === null) process.kill(-dev.pid, 'SIGINT')
  const ended = await Promise.race([exited, sleep(STOP_TIMEOUT_MS, 'late' as const, { ref: false })])
  if (ended === 'late') {
    console.error('npm run dev did not stop on Ctrl-C')
    process.exitCode = 1
  }
}

function compare(): void {
  const result = spawnSync('bash', ['-c', call], { cwd: ROOT, encoding: 'utf8' })
  const difference = findDifference(JSON.parse(answer), JSON.parse(result.stdout))
  if (difference) throw new Error(`${difference}. The call answered\n${result.stdout}`)
  console.log('the first call answers as README says')
  const rows = spawnSync('npm', ['run', '--silent', 'contract', '--', '--json'], { cwd: ROOT, encoding: 'utf8' })
  const report = JSON.parse(rows.stdout) as { rows: number; passed: number }
  if (rows.status !== 0) throw new Error(`not every row of the contract passed:\n${rows.stdout}`)
  console.log(`${report.passed} of ${report.rows} rows of the contract passed against it`)
  const docs = spawnSync(process.execPath, ['tools/try-docs.ts'], { cwd: ROOT, encoding: 'utf8' })
  if (docs.status !== 0) throw new Error(`an example of the documentation does not hold:\n${docs.stderr}`)
  console.log(docs.stdout.trim())
}

function visit(): void {
  for (const [command, stuck] of VISITS) {
    const visited = spawnSync('npm', ['run', '--silent', command], { cwd: ROOT, encoding: 'utf8' })
    console.log(visited.stdout)
    if (visited.status !== 0) throw new Error(`${stuck}:\n${visited.stderr}`)
  }
}

function blockAfter(heading: string, language: string): string {
  const block = new RegExp(`${heading}[\\s\\S]*?\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1]
  if (!block) throw new Error(`README has no ${language} block after "${heading}"`)
  return block
}
