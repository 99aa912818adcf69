/** The rules of the house that a mistake would break unseen: who may import whom, and what only one file may do. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  findCycles,
  isProduct,
  listFiles,
  listImports,
  ROOT,
  readSources,
  type Source,
} from '../../tools/house/sources.ts'

/** Low to high: a folder imports itself and those before it. */
const ORDER = [
  'version.ts',
  'lib',
  'errors.ts',
  'limits.ts',
  'config',
  'config.ts',
  'app.ts',
  'incidents',
  'credits',
  'accounts',
  'register',
  'webhooks',
  'signals',
  'resolver',
  'second-reader',
  'decisions',
  'page-archive',
  'resolution',
  'websites',
  'bulk',
  'review',
  'evidence',
  'oauth',
  'privacy',
  'entry/http',
  'entry/api',
  'entry/mcp',
  'entry/site',
  'entry/cli',
  'jobs.ts',
  'entry/routes.ts',
  'service.ts',
  'main.ts',
]
const FEATURES = new Set(ORDER.slice(ORDER.indexOf('incidents'), ORDER.indexOf('entry/http')))
const ENTRY_POINTS = new Set(['entry/api', 'entry/mcp', 'entry/site', 'entry/cli'])

const sources = readSources()
const product = sources.filter(isProduct)
/** The folder of `src` that a file belongs to; entry points are apart from each other. */
const area = (file: string) => {
  const [, folder = '', inner = ''] = file.split('/')
  return folder === 'entry' ? `entry/${inner}` : folder
}

/** Whether this is the `index.ts` of a package. */
const isIndex = (target: string) => /^packages\/[\w-]+\/index\.ts$/.test(target)
/** The second entrance of a feature, to words alone. What reads strangers' bytes uses it. */
const WORDS = 'src/register/words/index.ts'

function checkImport(file: string, { target, spec }: { target: string; spec: string }): string | null {
  const say = (rule: string) => `${file} imports ${spec}: ${rule}`
  if (!spec.startsWith('.')) return null
  if (target.startsWith('packages/')) return isIndex(target) ? null : say('enter a package by its index.ts')
  if (!target.startsWith('src/')) return say('src imports only src and packages')
  const [from, to] = [area(file), area(target)]
  if (from === to) return null
  if (!ORDER.includes(to) || !ORDER.includes(from)) return say(`give ${to} and ${from} a place in ORDER`)
  if (ORDER.indexOf(to) > ORDER.indexOf(from)) return say(`${from} may not import ${to}`)
  if (ENTRY_POINTS.has(from) && ENTRY_POINTS.has(to)) return say('entry points do not import each other')
  if (FEATURES.has(to) && target !== `src/${to}/index.ts` && target !== WORDS) return say(`enter ${to} by its index.ts`)
  return null
}

describe('imports', () => {
  test('go from high to low, through the index of a feature, and never from one entry point to another', () => {
    expect(
      product.flatMap(({ file, imports }) => imports.map((item) => checkImport(file, item))).filter(Boolean),
    ).toEqual([])
  })

  test('the rule sees what it should: planted violations are named', () => {
    const planted: Array<[string, string]> = [
      ['src/lib/db/db.ts', '../../accounts/index.ts'],
      ['src/credits/ledger.ts', '../accounts/index.ts'],
      ['src/accounts/sign-in/login.ts', '../../credits/ledger.ts'],
      ['src/entry/api/account/auth.ts', '../../site/home.ts'],
      ['src/accounts/sign-in/login.ts', '../../../rig/mailbox.ts'],
      ['src/app.ts', './entry/http/server.ts'],
      ['src/evidence/keys.ts', '../../packages/evidence-check/der.ts'],
    ]
    const found = planted.filter(([file, spec]) =>
      checkImport(file, { spec, target: normalize(join(dirname(file), spec)) }),
    )
    expect(found).toEqual(planted)
  })

  test('a thread that is started by the address of its program is an import', () => {
    const text = [
      "import { a } from './a.ts'",
      "const B = new URL('./resolver/b.ts', import.meta.url)",
      "new Worker(new URL(\n  '../c.tsx',\n  import.meta.url,\n))",
      "readFileSync(new URL('./d.typ', import.meta.url))",
      "await import('./e.ts')",
    ]
    expect(listImports(text.join('\n')).sort()).toEqual(['../c.tsx', './a.ts', './e.ts', './resolver/b.ts'])
    expect(product.find(({ file }) => file === 'src/lib/sheets/read-table.ts')?.imports).toContainEqual({
      spec: './reading-thread.ts',
      target: 'src/lib/sheets/reading-thread.ts',
    })
  })

  test('of the threads that read what strangers sent lead to no database and no connection', () => {
    const byFile = new Map(sources.map((source) => [source.file, source]))
    /** The packages and modules of Node that a file loads; types alone are not loaded. */
    const load = (file: string, seen = new Set<string>()): string[] => {
      if (seen.has(file)) return []
      seen.add(file)
      const source = byFile.get(file)
      if (!source) return []
      const specs = listImports(source.text.replaceAll(/^(?:import|export) type [^;]*? from '[^']+'$/gm, ''))
      return specs.flatMap((spec) => (spec.startsWith('.') ? load(normalize(join(dirname(file), spec)), seen) : [spec]))
    }
    const threads = ['resolver/read/reader', 'lib/sheets/reading', 'evidence/document/typesetting']
    const programs = threads.map((name) => `src/${name}-thread.ts`)
    const connects = /^(?:pg|pg-boss|undici|nodemailer|node:(?:net|tls|https?|dgram|dns))(?:\/|$)/
    expect(programs.flatMap((file) => load(file)).filter((spec) => connects.test(spec))).toEqual([])
    expect(load(programs[0] ?? '')).toContain('tldts')
    expect(load('src/app.ts')).toContain('undici')
  })

  test('keep the clients and the service apart: neither imports the other', () => {
    const crosses = (file: string, target: string) =>
      (file.startsWith('clients/') && target.startsWith('src/')) ||
      (file.startsWith('src/') && target.startsWith('clients/'))
    const found = sources.flatMap(({ file, imports }) =>
      imports.filter(({ target }) => crosses(file, target)).map(({ spec }) => `${file} imports ${spec}`),
    )
    expect(found).toEqual([])
    expect(crosses('clients/cli/program.ts', normalize('clients/cli/../../src/errors.ts'))).toBe(true)
  })

  test('the check of evidence needs Node and nothing else, so that it works in ten years', () => {
    const allowed = /^(?:node:crypto|node:zlib|\.\/[\w-]+\.ts)$/
    const own = sources.filter(({ file }) => /^packages\/.*(?<!\.test)\.ts$/.test(file))
    expect(own.length).toBeGreaterThan(10)
    // `Buffer.from('…')` is no import.
    const specs = own.flatMap(({ text }) =>
      [...text.matchAll(/\b(?:from|import) '([^']+)'/g)].map(([, spec = '']) => spec),
    )
    expect(specs).toContain('node:crypto')
    expect(specs.filter((spec) => !allowed.test(spec))).toEqual([])
  })

  test('have no circle, in any folder, types included', () => {
    expect(findCycles(sources)).toEqual([])
  })

  test('only the HTTP entry points use Fastify', () => {
    const allowed = new Set(['entry/http', 'entry/api', 'entry/mcp', 'entry/site'])
    const outside = product.filter(
      ({ file, imports }) => !allowed.has(area(file)) && imports.some(({ spec }) => /^@?fastify/.test(spec)),
    )
    expect(outside.map(({ file }) => file)).toEqual([])
  })
})

test('connections outside a pool are opened in one file: an error between two statements must not end the process', () => {
  const opens = (text: string) => /\bnew (?:pg\.)?Client\(\{[^}]*connectionString/.test(text)
  const opening = sources.filter(({ text }) => opens(text)).map(({ file }) => file)
  // This file has one planted, which shows that the rule sees it.
  const planted = 'new pg.Client({ connectionString: url })'
  expect(opens(planted)).toBe(true)
  expect(opening).toEqual(['src/lib/db/connection.ts', 'test/house/tidy.test.ts'])
})

test('a limit by address counts blocks: the address itself is used where it is logged and nowhere else', () => {
  const allowed = new Set(['src/entry/http/caller.ts', 'src/entry/http/instance.ts'])
  const mentions = ({ file, text }: Pick<Source, 'file' | 'text'>) =>
    !allowed.has(file) && /\b(?:request|req)\.ip\b|\{ ip \} = request\b|remoteAddress/.test(text)
  const own = new Set(['src/lib/web/guarded-connector.ts', 'src/entry/site/oauth.ts'])
  expect(product.filter((source) => mentions(source) && !own.has(source.file)).map(({ file }) => file)).toEqual([])
  expect(mentions({ file: 'src/entry/api/x.ts', text: 'await app.limiter.admit(request.ip, LIMIT)' })).toBe(true)
})

describe('files', () => {
  test('a definition drops nothing: a query of the release before may be running in it', () => {
    const dropping = listFiles('src/*.sql').filter((file) =>
      /^\s*drop\b/im.test(readFileSync(join(ROOT, file), 'utf8')),
    )
    expect(dropping).toEqual([])
  })

  test('only config.ts and main.ts see the environment, and nothing fetches past the guarded client', () => {
    const sees = (pattern: RegExp, allowed: string[]) =>
      product.filter(({ file, text }) => pattern.test(text) && !allowed.includes(file)).map(({ file }) => file)
    // Writes examples for the documentation, which do both.
    const examples = 'src/entry/site/docs/reference/calls.ts'
    expect(sees(/process\.env/, ['src/main.ts', 'src/lib/isolated-threads.fixture.ts', examples])).toEqual([])
    const fetches = ['src/lib/jobs/jobs.ts', 'src/lib/web/closing-peer.fixture.ts', examples]
    expect(sees(/(?<!\.)\bfetch\(|globalThis\.fetch/, fetches)).toEqual([])
    const calls = /import \{[^}]*\b(?:fetch|request|stream|pipeline)\b[^}]*\} from 'undici'/
    expect(sees(calls, ['src/lib/web/outgoing-fetch.ts'])).toEqual([])
  })

  test('name no machine path and no package host', () => {
    const tracked = listFiles()
    const texts = tracked.filter(
      (file) => /\.(ts|tsx|json|sql|md|yaml|yml|css|html)$|^\.[a-z]/.test(file) && file !== 'test/house/tidy.test.ts',
    )
    const pattern = /(^|[^\w.])\/(?:work|root|home)\/|"resolved": "https?:/m
    expect(texts.filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
  })
})
