import type { Tool } from './tool.ts'
import { checkJob } from './tools/check-job.ts'
import { findCompanyBehindDomain } from './tools/find-company-behind-domain.ts'
import { findCompanyWebsite } from './tools/find-company-website.ts'
import { getAccount } from './tools/get-account.ts'
import { getCompany } from './tools/get-company.ts'
import { listCompanySignalsTool } from './tools/list-company-signals.ts'
import { listWatchedSignals } from './tools/list-watched-signals.ts'
import { searchCompaniesTool } from './tools/search-companies.ts'
import { unwatchCompanyTool } from './tools/unwatch-company.ts'
import { watchCompanyTool } from './tools/watch-company.ts'

/** Every tool, in the order in which agents see them: always the same, as clients cache the list. */
export const TOOLS: readonly Tool[] = [
  findCompanyBehindDomain,
  findCompanyWebsite,
  searchCompaniesTool,
  getCompany,
  listCompanySignalsTool,
  watchCompanyTool,
  unwatchCompanyTool,
  listWatchedSignals,
  getAccount,
  checkJob,
]
