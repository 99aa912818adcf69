import { nameOf, ROOT, readJson, readLock } from '../dependencies/lock-file.ts'
import { describeSbom, listProduction } from '../sbom.ts'

/** Every package that runs in production is listed, with its licence, its hash and what it needs. */
export function checkBillOfMaterials(): string[] {
  const { packages } = readLock()
  const { components, dependencies } = describeSbom(packages)
  const { dependencies: direct } = readJson(ROOT, 'package.json') as { dependencies: Record<string, string> }
  const listed = new Set(components.map((component) => component['bom-ref']))
  const locked = listProduction(packages).map((path) => `${nameOf(path)}@${packages[path]?.version}`)
  const wanted = [...locked, ...Object.entries(direct).map(([name, version]) => `${name}@${version}`)]
  return [
    ...wanted.filter((ref) => !listed.has(ref)).map((ref) => `${ref} is missing`),
    ...components.filter(({ licenses }) => !licenses).map(({ name }) => `${name} has no licence`),
    ...components.filter(({ hashes }) => !hashes?.every(isSha512)).map(({ name }) => `${name} has no SHA-512`),
    ...dependencies
      .flatMap(({ ref, dependsOn }) =>
        dependsOn.filter((other) => !listed.has(other)).map((other) => `${ref} → ${other}`),
      )
      .map((edge) => `${edge} leads nowhere`),
  ]
}

const isSha512 = ({ alg, content }: { alg: string; content: string }) =>
  alg === 'SHA-512' && /^[0-9a-f]{128}$/.test(content)
