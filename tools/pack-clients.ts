/**
 * `npm run pack:clients [-- folder]`: builds what customers install. Two npm packages (the TypeScript client, and the
 * program `nameplate` that depends on it) and a wheel (the Python client). Nothing is downloaded.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const CLIENTS = join(ROOT, 'clients')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
/** Below the checkout, so that the compiler finds the packages that are installed there. */
const STAGE = join(ROOT, 'dist/clients')

export interface PackedClients {
  typescript: string
  commandLine: string
  wheel: string
}

/** Builds the packages and returns the paths of their files. */
export function packClients(into: string): PackedClients {
  rmSync(STAGE, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  stageTypescript(join(STAGE, 'typescript'))
  stageCommandLine(join(STAGE, 'cli'), join(STAGE, 'typescript'))
  return {
    typescript: npmPack(join(STAGE, 'typescript'), into),
    commandLine: npmPack(join(STAGE, 'cli'), into),
    wheel: buildWheel(into),
  }
}

const COMMON = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
}

/** The same source twice: TypeScript takes the kind of module from the package.json that is nearest to the source. */
function stageTypescript(stage: string): void {
  stageDocuments('typescript', stage)
  for (const [folder, type] of [
    ['esm', 'module'],
    ['cjs', 'commonjs'],
  ] as const) {
    const source = join(stage, `${folder}-source`)
    cpSync(join(CLIENTS, 'typescript/src'), source, { recursive: true })
    writeJson(join(source, 'package.json'), { type })
    compile(
      source,
      { ...COMMON, lib: ['es2022', 'dom', 'dom.iterable'], types: [], declaration: true },
      join(stage, folder),
    )
    rewriteDeclarations(join(stage, folder))
    writeJson(join(stage, folder, 'package.json'), { type, sideEffects: false })
    rmSync(source, { recursive: true })
  }
}

/** The compiler rewrites `./x.ts` to `./x.js` in programs but not in declarations, where old compilers need it too. */
function rewriteDeclarations(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
    const file = join(folder, name)
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(/(from |import\()(['"])(\.\/[^'"]+)\.ts\2/g, '$1$2$3.js$2'),
    )
  }
}

function stageCommandLine(stage: string, client: string): void {
  stageDocuments('cli', stage)
  const source = join(STAGE, 'cli-source')
  cpSync(join(CLIENTS, 'cli'), source, { recursive: true })
  writeFileSync(join(source, 'client.ts'), `export * from '@nameplate/client'\n`)
  // Node strips no types below node_modules, so the check is compiled into the package instead of being installed beside it.
  cpSync(join(ROOT, 'packages/evidence-check'), join(source, 'check'), {
    recursive: true,
    filter: (file) => !/\.test\.ts$|package\.json$/.test(file),
  })
  writeFileSync(join(source, 'evidence-check.ts'), `export * from './check/index.ts'\n`)
  mkdirSync(join(STAGE, 'node_modules/@nameplate'), { recursive: true })
  symlinkSync(client, join(STAGE, 'node_modules/@nameplate/client'))
  compile(source, { ...COMMON, lib: ['es2024', 'esnext.disposable'], types: ['node'] }, stage)
  rmSync(source, { recursive: true })
}

function stageDocuments(client: string, stage: string): void {
  mkdirSync(stage, { recursive: true })
  for (const name of ['package.json', 'README.md']) cpSync(join(CLIENTS, client, name), join(stage, name))
  cpSync(join(ROOT, 'LICENSE'), join(stage, 'LICENSE'))
  cpSync(join(CLIENTS, 'NOTICE'), join(stage, 'NOTICE'))
}

function compile(source: string, compilerOptions: object, outDir: string): void {
  const options = { ...compilerOptions, rootDir: '.', outDir }
  writeJson(join(source, 'tsconfig.json'), { compilerOptions: options, include: ['**/*.ts'] })
  run(process.execPath, [TSC, '-p', source], source)
}

function npmPack(folder: string, into: string): string {
  const printed = run('npm', ['pack', '--json', '--offline', '--pack-destination', into], folder)
  const [packed] = JSON.parse(printed) as [{ filename: string }]
  return join(into, packed.filename)
}

function buildWheel(into: string): string {
  return run('python3', ['build_wheel.py', into], join(CLIENTS, 'python')).trim()
}

/** A failure shows what the program printed: compilers print errors to standard output. */
function run(program: string, argv: string[], cwd: string): string {
  try {
    return execFileSync(program, argv, { cwd, encoding: 'utf8', stdio: 'pipe' })
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${argv.join(' ')} failed:\n${stdout}${stderr}`, { cause })
  }
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

if (import.meta.main) {
  const into = resolve(process.argv[2] ?? join(STAGE, 'packages'))
  for (const file of Object.values(packClients(into))) console.log(file)
}
