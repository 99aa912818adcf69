/**
 * Writes the software bill of materials of a release, as CycloneDX JSON: every package that runs in production with its
 * licence, hash and dependencies, as package-lock.json has them. `npm run sbom [file]`. It has no time and no serial
 * number, so one lock file gives one document. `npm sbom --omit dev` would leave out what development needs too, such
 * as pg and zod.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type LockedPackage, type LockFile, nameOf, ROOT, readJson, readLock } from './dependencies/lock-file.ts'

type Packages = LockFile['packages']

/** Returns the path in the lock file of each package that runs in production. */
export function listProduction(packages: Packages): string[] {
  return Object.keys(packages).filter((path) => path !== '' && !packages[path]?.dev)
}

export function describeSbom(packages: Packages) {
  const paths = listProduction(packages)
  const { name, version } = readJson(ROOT, 'package.json') as { name: string; version: string }
  const root = { 'bom-ref': `${name}@${version}`, type: 'application', name, version, purl: purl(name, version) }
  const components = new Map(paths.map((path) => describe(path, packages)).map((one) => [one['bom-ref'], one]))
  const dependencies = new Map([[root['bom-ref'], dependenciesOf('', packages)]])
  for (const path of paths) {
    const ref = refOf(path, packages)
    dependencies.set(ref, [...new Set([...(dependencies.get(ref) ?? []), ...dependenciesOf(path, packages)])].sort())
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: root },
    components: [...components.values()],
    dependencies: [...dependencies].map(([ref, dependsOn]) => ({ ref, dependsOn })),
  }
}

function describe(path: string, packages: Packages) {
  const { version = '', license, integrity, optional } = packages[path] as LockedPackage
  const name = nameOf(path)
  return {
    'bom-ref': refOf(path, packages),
    type: 'library',
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl: purl(name, version),
    ...(license ? { licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }] } : {}),
    ...(integrity ? { hashes: integrity.split(' ').map(toHash) } : {}),
  }
}

function dependenciesOf(path: string, packages: Packages): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = packages[path] as LockedPackage
  return Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies })
    .flatMap((name) => resolve(path, name, packages) ?? [])
    .filter((found) => !packages[found]?.dev)
    .map((found) => refOf(found, packages))
    .sort()
}

/** As Node looks for it: beside the package's own packages, then one level up, and so on. */
function resolve(from: string, name: string, packages: Packages): string | null {
  const levels = from === '' ? [] : from.split('/node_modules/')
  for (let depth = levels.length; depth >= 0; depth -= 1) {
    const path = [...levels.slice(0, depth), name].join('/node_modules/')
    const found = path.startsWith('node_modules/') ? path : `node_modules/${path}`
    if (packages[found]) return found
  }
  return null
}

const refOf = (path: string, packages: Packages) => `${nameOf(path)}@${packages[path]?.version}`
const purl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function toHash(integrity: string): { alg: string; content: string } {
  const [algorithm = '', digest = ''] = integrity.split(/-(.*)/s)
  return { alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }
}

if (import.meta.main) {
  const file = process.argv[2] ?? join(ROOT, 'dist/sbom.json')
  const sbom = describeSbom(readLock().packages)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
  console.log(`${sbom.components.length} packages in ${file}`)
}
