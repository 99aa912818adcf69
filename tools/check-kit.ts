/** Everything in deploy/, the Dockerfile and the bill of materials, checked as far as it goes without a cluster. */
import { checkAlerts } from './kit/alerts.ts'
import { checkBillOfMaterials } from './kit/bill-of-materials.ts'
import { checkCompose } from './kit/compose.ts'
import { checkDashboard } from './kit/dashboard.ts'
import { checkDockerfile } from './kit/dockerfile.ts'
import { checkImage } from './kit/image.ts'
import { checkKubernetes } from './kit/kubernetes.ts'

const CHECKS: Record<string, () => string[] | Promise<string[]>> = {
  Dockerfile: checkDockerfile,
  'compose.yaml': checkCompose,
  kubernetes: checkKubernetes,
  dashboard: checkDashboard,
  alerts: checkAlerts,
  'bill of materials': checkBillOfMaterials,
  'image, staged and started': checkImage,
}

for (const [name, check] of Object.entries(CHECKS)) {
  const startedAt = performance.now()
  const problems = await check()
  console.log(
    `${problems.length === 0 ? 'ok' : 'FAILED'}  ${name}, ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
  )
  for (const problem of problems) console.error(`  ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
