/**
 * Runs every `sh`, `ts` and `python` block of the documentation against a running `npm run dev`, as a reader would paste it, page by
 * page. A `json` block after it must be part of the answer. With UPDATE=1 the values of these blocks are recorded again.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packClients } from './pack-clients.ts'
import { findDifference, findUnshown, formatAnswer, recordAnswer } from './promised-answer.ts'

const ROOT = join(import.meta.dirname, '..')
const BASE = process.argv[2] ?? 'http://localhost:4000'
const ACCOUNT = { email: 'dev@nameplate.test', password: 'correct horse battery' }

const LEADS = ['harbourlantern.co.uk', 'tallheron.co.uk', 'ann@gmail.com', 'n/a']
/** Characters of the paragraph before an example. */
const NEAR = 200
const IS_UPDATE = process.env['UPDATE'] === '1'

interface PageCase {
  page: string
  /** Placeholders in the text, and the ids to put there. */
  replace?: Record<string, string>
  env?: Record<string, string>
}

interface Example {
  command: string
  /** The JSON that the page shows, as it is written there. */
  shown: string | null
  /** Unless the words near it say that it is shortened, it has every member of the response. */
  isWhole: boolean
}

const keys = await logIn()
const ids = await makeThings(keys.api_key)
const PAGES: PageCase[] = [
  { page: 'quickstart' },
  { page: 'resolve' },
  {
    page: 'outcomes',
    replace: { 'rev_1f…': ids.review, 'res_1f…': ids.resolution, '05820417': '07249028' },
  },
  { page: 'spreadsheets', env: { ID: ids.bulk } },
  { page: 'watching' },
  { page: 'agents' },
  { page: 'charging' },
  { page: 'data-protection' },
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
  writeFileSync(join(folder, 'leads.csv'), `domain\n${LEADS.join('\n')}\n`)
  for (const page of PAGES) for (const example of examplesOf(page)) run(page, example)
  console.log(
    `${ran} examples of ${PAGES.length} pages of the documentation ${IS_UPDATE ? 'were recorded' : 'answer as written'}`,
  )
} finally {
  rmSync(folder, { recursive: true })
}

function examplesOf({ page }: PageCase): Example[] {
  const text = readFileSync(fileOf(page), 'utf8')
  const blocks = [...text.matchAll(/([\s\S]*?)^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, words = '', language, body]) => ({
    words,
    language,
    body: body ?? '',
  }))
  return blocks.flatMap<Example>(({ words, language, body }, index) => {
    const isAnswer = toCommand(blocks[index - 1]?.language ?? '', '') !== null
    if (language === 'json' && !isAnswer)
      throw new Error(`docs/${page}.md shows JSON that no example answers:\n${body}`)
    const next = blocks[index + 1]
    const command = toCommand(language ?? '', body)
    if (command === null) return []
    if (next?.language !== 'json') return [{ command, shown: null, isWhole: false }]
    return [{ command, shown: next.body, isWhole: !/shortened/i.test(`${words.slice(-NEAR)}${next.words}`) }]
  })
}

function fileOf(page: string): string {
  return join(ROOT, `docs/${page}.md`)
}

function toHere(text: string): string {
  return text.replaceAll(/https:\/\/(?:api|app)\.example\.com/g, BASE)
}

function toExample(text: string): string {
  return text.replaceAll(`${BASE}/docs`, 'https://app.example.com/docs').replaceAll(BASE, 'https://api.example.com')
}

/** Returns the command that runs a block of this language, or null for a block that is only to be read. */
function toCommand(language: string, body: string): string | null {
  if (language === 'sh') return body
  if (language === 'ts') return `cat > example.ts <<'END'\n${body}END\n'${process.execPath}' example.ts\n`
  return language === 'python' ? `python3 - <<'END'\n${body}END\n` : null
}

function run({ page, replace = {}, env = {} }: PageCase, { command: written, shown, isWhole }: Example): void {
  let command = toHere(written).replaceAll('curl ', `curl -sS --fail-with-body -w '\\n' `)
  for (const [placeholder, id] of Object.entries(replace)) command = command.replaceAll(placeholder, id)
  const result = spawnSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...env,
      ...ADDRESSES,
      NAMEPLATE_API_KEY: keys.api_key,
      NAMEPLATE_TEST_KEY: keys.test_api_key,
    },
  })
  const where = `docs/${page}.md:\n${written}`
  const promised: unknown = shown === null ? null : JSON.parse(toHere(shown))
  if (result.status !== 0 && !isProblem(promised)) {
    throw new Error(`${where}ended with ${result.status}: ${result.stdout}${result.stderr}`)
  }
  ran += 1
  if (shown === null) return
  // Of several calls in a block the last has the answer that is shown.
  const answer = result.stdout.trim().split('\n').at(-1) ?? ''
  const got: unknown = JSON.parse(answer)
  const difference = findDifference(promised, got) ?? (isWhole ? findUnshown(promised, got) : null)
  if (difference && IS_UPDATE) {
    const recorded = toExample(`${formatAnswer(isWhole ? got : recordAnswer(promised, got))}\n`)
    writeFileSync(
      fileOf(page),
      readFileSync(fileOf(page), 'utf8').replace(shown, () => recorded),
    )
  } else if (difference) throw new Error(`${where}${difference}. It answered\n${answer}`)
}

/** The page shows an error. */
function isProblem(promised: unknown): boolean {
  return typeof promised === 'object' && promised !== null && 'retryable' in promised
}

async function logIn(): Promise<{ api_key: string; test_api_key: string }> {
  return (await send('/v1/auth/login', {}, ACCOUNT)) as { api_key: string; test_api_key: string }
}

/** A finished bulk job, a review and a match, for the examples that speak of one. */
async function makeThings(apiKey: string): Promise<{ bulk: string; review: string; resolution: string }> {
  const headers = { 'x-api-key': apiKey, prefer: 'wait=30' }
  const { id: bulk } = (await send('/v1/bulk', headers, { domains: LEADS })) as { id: string }
  const matched = (await send('/v1/resolve/domain', headers, { domain: 'meadowgatecare.co.uk' })) as {
    resolution_id: string
  }
  await send('/v1/resolve/domain', headers, { domain: 'ropewalkpress.co.uk' })
  const review = (await findReview('open', headers)) ?? (await findReview('decided', headers))
  if (!review) throw new Error('ropewalkpress.co.uk has no review')
  for (let round = 0; round < 60; round += 1) {
    const { status } = (await get(`/v1/bulk/${bulk}`, headers)) as { status: string }
    if (status === 'completed') return { bulk, review, resolution: matched.resolution_id }
    await sleep(500)
  }
  throw new Error(`${bulk} did not end`)
}

/** An earlier run may have decided it. */
async function findReview(status: string, headers: Record<string, string>): Promise<string | undefined> {
  const path = `/v1/reviews?domain=ropewalkpress.co.uk&status=${status}`
  const { data } = (await get(path, headers)) as { data: Array<{ id: string }> }
  return data[0]?.id
}

async function get(path: string, headers: Record<string, string>): Promise<unknown> {
  const answer = await fetch(`${BASE}${path}`, { headers })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
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
