import type { SiteFindings } from '../extract/findings.ts'
import type { Case, Verdict } from './case.ts'
import { readClaims } from './claims.ts'
import { openDossiers, sortDossiers } from './dossier.ts'
import { readForeignClaims } from './foreign-claims.ts'
import type { RegisterView } from './register-view.ts'
import { proveStranger } from './strangers.ts'
import { decide } from './verdict.ts'

/** Decides a site from its findings and the register. Pure. */
export function matchSite(findings: SiteFindings, view: RegisterView): { verdict: Verdict; site: Case } {
  const { claims, unknown } = readClaims(findings, view)
  const opened = openDossiers(findings, view, claims)
  proveStranger(opened, findings)
  const dossiers = sortDossiers(opened)
  const site: Case = { findings, view, dossiers, foreign: readForeignClaims(findings, view), unknown }
  return { verdict: decide(site), site }
}
