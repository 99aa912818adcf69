import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from './kustomize.ts'
import { REPOSITORY } from './repository.ts'

/** The packages that have the schemas of an API group; what is not here is Kubernetes' own. */
const PACKAGES: Record<string, string> = {
  'keda.sh': '@kubernetes-models/keda/',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
}

/** Every manifest is what its schema says, and has no field that the schema does not have. */
export async function findSchemaProblems(manifests: readonly Manifest[]): Promise<string[]> {
  const problems: string[] = []
  for (const manifest of manifests) {
    const model = (await import(moduleOf(manifest))) as Record<string, new (body: Manifest) => { validate(): void }>
    const Model = model[manifest.kind]
    if (!Model) throw new Error(`there is no schema of ${manifest.kind}`)
    try {
      new Model(manifest).validate()
    } catch (error) {
      problems.push(`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`)
    }
  }
  return [...problems, ...findUnknownFields(manifests)]
}

/**
 * Kubernetes' schemas allow fields they do not know, and an API server drops them silently. The compiler does not: each
 * manifest is written down as a literal of its type.
 */
function findUnknownFields(manifests: readonly Manifest[]): string[] {
  // Below the repository, where the packages are found.
  mkdirSync(join(REPOSITORY, '.local'), { recursive: true })
  const folder = mkdtempSync(join(REPOSITORY, '.local/manifests-'))
  const literals = manifests.map(
    (manifest, index) =>
      `import type { I${manifest.kind} as T${index} } from '${moduleOf(manifest)}'\n` +
      `export const manifest${index}: T${index} = ${JSON.stringify(manifest, null, 1)}\n`,
  )
  const file = join(folder, 'manifests.ts')
  writeFileSync(file, literals.join('\n'))
  const compiler = join(REPOSITORY, 'node_modules/.bin/tsc')
  const flags = ['--noEmit', '--ignoreConfig', '--skipLibCheck', '--module', 'nodenext', '--types', 'node', file]
  const { stdout, status, error } = spawnSync(compiler, flags, { cwd: REPOSITORY, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  if (error) throw error
  return status === 0 ? [] : stdout.trim().split('\n')
}

function moduleOf({ apiVersion, kind }: Manifest): string {
  const [group = ''] = apiVersion.split('/')
  return `${PACKAGES[group] ?? 'kubernetes-models/'}${apiVersion}/${kind}`
}
