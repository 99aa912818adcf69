/**
 * The clients as customers get them: packed, installed into empty projects, checked by the compilers' ordinary strict
 * settings and run against the service. Nothing is downloaded.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { programEnvironment } from '../rig/program.ts'
import { type PackedClients, packClients } from '../tools/pack-clients.ts'
import { isInstalled } from './receivers/running-program.ts'
import { siteOf } from './setup/companies.ts'
import { prepare, useTestService } from './setup/harness.ts'

const ROOT = join(import.meta.dirname, '..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const HARBOUR = { number: '08496536', name: 'HARBOUR LANTERN COFFEE ROASTERS LTD', postcode: 'HG4 1AD' }
const hasPython = process.env['CI'] === 'true' || (isInstalled('python3') && isInstalled('mypy'))

const it = useTestService({ companies: [HARBOUR], sites: { 'harbourlantern.co.uk': siteOf(HARBOUR) } })
const account = prepare(() => it.openAccount())
const home = mkdtempSync(join(tmpdir(), 'nameplate-packed-'))
let packed: PackedClients
beforeAll(() => {
  packed = packClients(join(home, 'packages'))
})
afterAll(() => rmSync(home, { recursive: true }))

async function run(cwd: string, program: string, argv: string[]): Promise<string> {
  const env = {
    ...programEnvironment(),
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    NO_PROXY: '*',
    NAMEPLATE_API_URL: it.config.baseUrl.origin,
    NAMEPLATE_API_KEY: account.key,
  }
  const options = { cwd, env, encoding: 'utf8' } as const
  const failed = (error: { stdout?: string; stderr?: string; message: string }) => {
    throw new Error(`${program} ${argv.join(' ')}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`)
  }
  const { stdout } = await promisify(execFile)(program, argv, options).catch(failed)
  return stdout
}

/** An empty project with these files and packages. */
async function createProject(name: string, manifest: object, files: Record<string, string>): Promise<string> {
  const folder = join(home, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, ...manifest }))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  await run(folder, 'npm', ['install', '--offline', '--install-links', '--no-audit', '--no-fund', '--loglevel=error'])
  return folder
}

/** Everything that strict projects set, and nothing that the client asks for: no `skipLibCheck`, no Node types. */
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: false,
    target: 'es2022',
    module: 'nodenext',
    types: [],
    outDir: 'out',
    rootDir: '.',
  },
})

function readExample(readme: string, language: string): string {
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(join(ROOT, readme), 'utf8'))?.[1]
  if (!code) throw new Error(`${readme} has no example`)
  return code
}

const EVERY_CALL = `
import { Nameplate, NameplateError, type Resolution, type WebhookEvent, verifyWebhook } from '@nameplate/client'

const nameplate = new Nameplate({ retriesMax: 1, timeoutMs: 20_000 })
const answer: Resolution = await nameplate.resolve('harbourlantern.co.uk', { onProgress: (job) => job.job_id })
const confidence: number | null = answer.confidence
// @ts-expect-error: the types are the API's, not any
answer.no_such_member
for await (const { company_number } of nameplate.searchCompanies({ name: 'harbour' })) console.log(company_number)
try {
  await nameplate.company('99999999')
} catch (error) {
  if (!(error instanceof NameplateError)) throw error
  console.log(error.code, confidence)
}
const event: Promise<WebhookEvent> = verifyWebhook({ secret: 'whsec_x', headers: {}, body: '{}' })
console.log(await event.catch((error: unknown) => (error instanceof NameplateError ? error.code : error)))
`

const FROM_COMMONJS = `
import { Nameplate } from '@nameplate/client'

void new Nameplate().company('${HARBOUR.number}').then((company) => console.log(company.company_name))
`

describe('the package of the TypeScript client', () => {
  const dependencies = () => ({ '@nameplate/client': `file:${packed.typescript}` })

  test('compiles and runs in a strict project of ES modules, the example of its README first', async () => {
    const folder = await createProject(
      'modules',
      { type: 'module', dependencies: dependencies() },
      {
        'tsconfig.json': TSCONFIG,
        'first.ts': readExample('clients/typescript/README.md', 'ts'),
        'every.ts': EVERY_CALL,
      },
    )
    // Without Node's types `console` comes from the DOM, as in a browser.
    await run(folder, process.execPath, [TSC, '-p', folder])
    const first = await run(folder, process.execPath, ['out/first.js'])
    expect(first).toContain(`${HARBOUR.name} ${HARBOUR.number}`)
    const every = await run(folder, process.execPath, ['out/every.js'])
    expect(every.split('\n')).toEqual([HARBOUR.number, 'not_found 0.96', 'invalid_signature', ''])
  })

  test('compiles and runs from CommonJS, with require as well', async () => {
    const folder = await createProject(
      'commonjs',
      { dependencies: dependencies() },
      {
        'tsconfig.json': TSCONFIG,
        'typed.ts': FROM_COMMONJS,
        'plain.cjs': `const { Nameplate } = require('@nameplate/client')
new Nameplate().company('${HARBOUR.number}').then((company) => console.log(company.company_name))`,
      },
    )
    await run(folder, process.execPath, [TSC, '-p', folder])
    expect(readFileSync(join(folder, 'out/typed.js'), 'utf8')).toContain('require("@nameplate/client")')
    for (const file of ['out/typed.js', 'plain.cjs']) {
      expect(await run(folder, process.execPath, [file])).toBe(`${HARBOUR.name}\n`)
    }
  })

  test('has programs, declarations, README and licence, and nothing else', async () => {
    const files = (await run(home, 'tar', ['-tzf', packed.typescript])).trim().split('\n')
    const others = files.filter((file) => !/^package\/(?:esm|cjs)\/[a-z-]+(?:\.d\.ts|\.js)$/.test(file))
    expect(others.sort()).toEqual([
      'package/LICENSE',
      'package/NOTICE',
      'package/README.md',
      'package/cjs/package.json',
      'package/esm/package.json',
      'package/package.json',
    ])
  })
})

describe('the package of the program nameplate', () => {
  test('installs with the client and two libraries, nothing of the server, and does what it says', async () => {
    const libraries = listInstalled(['commander', 'cli-table3'])
    const folder = await createProject(
      'terminal',
      {
        dependencies: {
          '@nameplate/client': `file:${packed.typescript}`,
          '@nameplate/cli': `file:${packed.commandLine}`,
          ...Object.fromEntries(libraries.map(({ name, path }) => [name, `file:${path}`])),
        },
      },
      {},
    )
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>
    }
    const installed = Object.keys(packages).filter((path) => path.startsWith('node_modules/'))
    const expected = ['@nameplate/client', '@nameplate/cli', ...libraries.map(({ name }) => name)]
    expect(installed.sort()).toEqual(expected.map((name) => `node_modules/${name}`).sort())

    const nameplate = join(folder, 'node_modules/.bin/nameplate')
    expect(await run(folder, nameplate, ['--version'])).toBe(`${readVersion('clients/cli')}\n`)
    expect(await run(folder, nameplate, ['resolve', 'harbourlantern.co.uk'])).toContain(HARBOUR.name)
    const help = await run(folder, nameplate, ['listen', '--help'])
    expect(help).toContain('--forward-to')
  })
})

describe.skipIf(!hasPython)('the wheel of the Python client', () => {
  const USES_TYPES = `
from nameplate import Nameplate, NameplateError
from nameplate.bodies import CompanyProfile, Resolution

nameplate = Nameplate(retries_max=1)
answer: Resolution = nameplate.resolve("harbourlantern.co.uk", on_progress=lambda job: job["job_id"])
profile: CompanyProfile = nameplate.company("${HARBOUR.number}")
for found in nameplate.search_companies(name="harbour"):
    number: str = found["company_number"]
    print(number, profile["company_name"], answer["confidence"])
try:
    nameplate.company("99999999")
except NameplateError as error:
    print(error.code)
`

  test('installs with pip, passes mypy --strict and runs, the example of its README first', async () => {
    const folder = join(home, 'python')
    mkdirSync(folder)
    await run(folder, 'python3', ['-m', 'venv', 'environment'])
    const python = join(folder, 'environment/bin/python')
    await run(folder, python, [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-index',
      '--disable-pip-version-check',
      packed.wheel,
    ])
    writeFileSync(join(folder, 'first.py'), readExample('clients/python/README.md', 'python'))
    writeFileSync(join(folder, 'typed.py'), USES_TYPES)
    writeFileSync(
      join(folder, 'wrong.py'),
      'from nameplate import Nameplate\nNameplate().account()["no_such_member"]\n',
    )
    const check = (...files: string[]) => run(folder, 'mypy', ['--strict', '--python-executable', python, ...files])
    await check('first.py', 'typed.py')
    await expect(check('wrong.py')).rejects.toThrow('has no key "no_such_member"')
    expect(await run(folder, python, ['first.py'])).toContain(`${HARBOUR.name} ${HARBOUR.number}`)
    expect(await run(folder, python, ['typed.py'])).toBe(`${HARBOUR.number} ${HARBOUR.name} 0.96\nnot_found\n`)
  })

  test('its own source passes mypy --strict for the oldest Python', async () => {
    await run(join(ROOT, 'clients/python'), 'mypy', [
      '--strict',
      '--cache-dir',
      join(home, 'mypy'),
      '--python-version',
      '3.9',
      'nameplate',
    ])
  })
})

test('every package has the version of the service, and the libraries of the checkout', () => {
  const root = readJson('package.json')
  for (const folder of ['clients/typescript', 'clients/cli']) expect(readVersion(folder)).toBe(root.version)
  expect(readFileSync(join(ROOT, 'clients/python/pyproject.toml'), 'utf8')).toContain(`\nversion = "${root.version}"\n`)
  const { '@nameplate/client': client, ...libraries } = readJson('clients/cli/package.json').dependencies ?? {}
  expect(client).toBe(root.version)
  for (const [name, version] of Object.entries(libraries))
    expect([name, version]).toEqual([name, root.dependencies?.[name]])
})

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

function readJson(file: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Manifest
}

const readVersion = (folder: string) => readJson(join(folder, 'package.json')).version

/** Libraries and all they need, as they are installed in the checkout: npm takes them from there instead of a registry. */
function listInstalled(names: readonly string[], from = ROOT): Array<{ name: string; path: string }> {
  const found = names.flatMap((name) => {
    const path = findPackage(name, from)
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest
    const needs = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    return [{ name, path }, ...listInstalled(needs, path)]
  })
  return [...new Map(found.map((one) => [one.name, one])).values()]
}

function findPackage(name: string, from: string): string {
  const folders = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
  const path = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')))
  if (!path) throw new Error(`${name} is not installed for ${dirname(from)}`)
  return path
}
