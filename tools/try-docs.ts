/**
 * Runs every `sh`, `ts` and `python` block of the documentation against a running `npm run dev`, as a reader would paste it, page by page. A
 * `json` block after it must be part of the answer; on pages whose examples speak of another day, its members must be.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packClients } from './pack-clients.ts'
import { findDifference, type Strictness } from './promised-answer.ts'

const ROOT = join(import.meta.dirname, '..')
const BASE = process.argv[2] ?? 'http://localhost:4000'
const ACCOUNT = { email: 'dev@nameplate.test', password: 'correct horse battery' }

interface PageCase {
  page: string
  strictness: Strictness
  /** Placeholders in the text, and the ids to put there. */
  replace?: Record<string, string>
  env?: Record<string, string>
}

interface Example {
  command: string
  promised: string | null
}

const keys = await logIn()
const ids = await makeThings(keys.api_key)
const PAGES: PageCase[] = [
  { page: 'quickstart', strictness: 'values' },
  { page: 'test-mode', strictness: 'values' },
  { page: 'evidence', strictness: 'values' },
  { page: 'charging', strictness: 'values' },
  { page: 'table', strictness: 'values' },
  { page: 'kyb-file', strictness: 'values' },
  { page: 'agents', strictness: 'values' },
  { page: 'clients', strictness: 'values' },
  { page: 'bulk', strictness: 'members', env: { ID: ids.bulk } },
  {
    page: 'review',
    strictness: 'members',
    replace: { 'rev_1f…': ids.review, 'res_1f…': ids.resolution, '05820417': '07249028' },
  },
]

const ADDRESSES = { NAMEPLATE_API_URL: BASE, PYTHONPATH: join(ROOT, 'clients/python') }
const folder = mkdtempSync(join(tmpdir(), 'nameplate-docs-'))
let ran = 0
try {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  execFileSync(
    'npm',
    ['install', '--offline', '--no-audit', '--no-fund', packClients(join(folder, 'packages')).typescript],
    {
      cwd: folder,
      stdio: 'pipe',
    },
  )
  writeFileSync(join(folder, 'leads.csv'), 'domain\nharbourlantern.co.uk\ntallheron.co.uk\nann@gmail.com\nn/a\n')
  for (const page of PAGES) for (const example of examplesOf(page)) run(page, example)
  console.log(`${ran} examples of ${PAGES.length} pages of the documentation answer as written`)
} finally {
  rmSync(folder, { recursive: true })
}

function examplesOf({ page, replace = {} }: PageCase): Example[] {
  let text = readFileSync(join(ROOT, `docs/${page}.md`), 'utf8').replaceAll('https://api.example.com', BASE)
  for (const [placeholder, id] of Object.entries(replace)) text = text.replaceAll(placeholder, id)
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body]) => ({
    language,
    body: body ?? '',
  }))
  return blocks.flatMap(({ language, body }, index) => {
    const next = blocks[index + 1]
    const command = toCommand(language ?? '', body)
    return command === null ? [] : [{ command, promised: next?.language === 'json' ? next.body : null }]
  })
}

/** Returns the command that runs a block of this language, or null for a block that is only to be read. */
function toCommand(language: string, body: string): string | null {
  if (language === 'sh') return body
  if (language === 'ts') return `cat > example.ts <<'END'\n${body}END\n'${process.execPath}' example.ts\n`
  return language === 'python' ? `python3 - <<'END'\n${body}END\n` : null
}

function run({ page, strictness, env = {} }: PageCase, { command, promised }: Example): void {
  const result = spawnSync(
    'bash',
    ['-euo', 'pipefail', '-c', command.replaceAll('curl ', `curl -sS --fail-with-body -w '\\n' `)],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...env,
        ...ADDRESSES,
        NAMEPLATE_API_KEY: keys.api_key,
        NAMEPLATE_TEST_KEY: keys.test_api_key,
      },
    },
  )
  const where = `docs/${page}.md:\n${command}`
  if (result.status !== 0) throw new Error(`${where}ended with ${result.status}: ${result.stdout}${result.stderr}`)
  // Of several calls in a block the last has the answer that is shown.
  const answer = result.stdout.trim().split('\n').at(-1) ?? ''
  const difference = promised && findDifference(JSON.parse(promised), JSON.parse(answer), 'answer', strictness)
  if (difference) throw new Error(`${where}${difference}. It answered\n${answer}`)
  ran += 1
}

async function logIn(): Promise<{ api_key: string; test_api_key: string }> {
  return (await send('/v1/auth/login', {}, ACCOUNT)) as { api_key: string; test_api_key: string }
}

/** A finished bulk, a review and a match, for the examples that speak of one. */
async function makeThings(apiKey: string): Promise<{ bulk: string; review: string; resolution: string }> {
  const headers = { 'x-api-key': apiKey, prefer: 'wait=30' }
  const { id: bulk } = (await send('/v1/bulk', headers, { domains: ['harbourlantern.co.uk'] })) as { id: string }
  const matched = (await send('/v1/resolve/domain', headers, { domain: 'meadowgatecare.co.uk' })) as {
    resolution_id: string
  }
  await send('/v1/resolve/domain', headers, { domain: 'ropewalkpress.co.uk' })
  const reviews = await fetch(`${BASE}/v1/reviews?domain=ropewalkpress.co.uk`, { headers })
  const { data } = (await reviews.json()) as { data: Array<{ id: string }> }
  return { bulk, review: data[0]?.id ?? '', resolution: matched.resolution_id }
}

async function send(path: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const request = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const answer = await fetch(`${BASE}${path}`, request)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
