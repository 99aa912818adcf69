import { apiKeysDoor } from './api/api-keys.ts'
import { authDoor } from './api/auth.ts'
import { bulkDoor } from './api/bulk.ts'
import { bulkResultsDoor } from './api/bulk-results.ts'
import { companyProfileDoor } from './api/company-profile.ts'
import { companySearchDoor } from './api/company-search.ts'
import { companySignalsDoor } from './api/company-signals.ts'
import { connectionsDoor } from './api/connections.ts'
import { creditsDoor } from './api/credits.ts'
import { enrichDoor } from './api/enrich.ts'
import { evidenceDoor, readEvidencePage } from './api/evidence.ts'
import { jobStatusDoor } from './api/job-status.ts'
import { notificationsDoor } from './api/notifications.ts'
import { livenessDoor, type OperationsOptions, operationsDoor } from './api/operations.ts'
import { partnerEnrichDoor } from './api/partner-enrich.ts'
import { profileDoor } from './api/profile.ts'
import { reconcileDoor } from './api/reconcile/door.ts'
import { resolveCompanyDoor } from './api/resolve-company.ts'
import { resolveDomainDoor } from './api/resolve-domain.ts'
import { reviewsDoor } from './api/reviews.ts'
import { signalFeedDoor } from './api/signal-feed.ts'
import { statusDoor } from './api/status.ts'
import { testSignalsDoor } from './api/test-signals.ts'
import { watchlistDoor } from './api/watchlist.ts'
import { WEBHOOKS } from './api/webhook-events.ts'
import { webhookListenersDoor } from './api/webhook-listeners.ts'
import { webhookRecoveryDoor } from './api/webhook-recovery.ts'
import { webhooksDoor } from './api/webhooks.ts'
import type { Doors } from './http/server.ts'
import { mcpDoor } from './mcp/door.ts'
import { accountDoor } from './site/account.ts'
import { botDoor } from './site/bot.ts'
import { connectedAppsDoor } from './site/connected-apps.ts'
import { consoleDoor } from './site/console.ts'
import { docsDoor } from './site/docs/door.ts'
import { evidencePageDoor } from './site/evidence.ts'
import { homeDoor } from './site/home.ts'
import { oauthDoor } from './site/oauth.ts'
import { preparePages } from './site/pages.ts'
import { passwordsDoor } from './site/passwords.ts'
import { signInDoor } from './site/sign-in.ts'
import { signUpDoor } from './site/sign-up.ts'
import { unsubscribeDoor } from './site/unsubscribe.ts'
import { verifyEmailDoor } from './site/verify-email.ts'

/** Every HTTP door there is. */
export function createDoors(isDraining: () => boolean): Doors {
  return {
    api: [
      authDoor,
      profileDoor,
      apiKeysDoor,
      creditsDoor,
      notificationsDoor,
      connectionsDoor,
      enrichDoor,
      jobStatusDoor,
      resolveDomainDoor,
      resolveCompanyDoor,
      evidenceDoor,
      reviewsDoor,
      bulkDoor,
      bulkResultsDoor,
      partnerEnrichDoor,
      companySearchDoor,
      companyProfileDoor,
      companySignalsDoor,
      reconcileDoor,
      watchlistDoor,
      signalFeedDoor,
      webhooksDoor,
      webhookRecoveryDoor,
      webhookListenersDoor,
      testSignalsDoor,
      statusDoor,
    ],
    site: [
      preparePages,
      homeDoor,
      signInDoor,
      signUpDoor,
      verifyEmailDoor,
      passwordsDoor,
      accountDoor,
      consoleDoor,
      connectedAppsDoor,
      evidencePageDoor(readEvidencePage),
      oauthDoor,
      unsubscribeDoor,
      docsDoor,
      botDoor,
    ],
    anyHost: [operationsDoor({ isDraining, tellsSharedState: true }), mcpDoor],
    webhooks: WEBHOOKS,
  }
}

/** What a process has on its operations port, whatever else it does. */
export function createOperationsDoors(operations: OperationsOptions): Doors {
  return { api: [], site: [], anyHost: [operationsDoor(operations), livenessDoor], webhooks: {} }
}
