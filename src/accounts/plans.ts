/** The credits and limits of each plan. */
export const PLANS = {
  free: {
    monthlyCredits: 0,
    watchlistMax: 25,
    limits: {
      api: { perSecond: 20, burst: 120 },
      partner: { perSecond: 10, burst: 60 },
      mcp: { perSecond: 20, burst: 120 },
    },
  },
  starter: {
    monthlyCredits: 500,
    watchlistMax: 500,
    limits: {
      api: { perSecond: 20, burst: 120 },
      partner: { perSecond: 10, burst: 60 },
      mcp: { perSecond: 20, burst: 120 },
    },
  },
  growth: {
    monthlyCredits: 5_000,
    watchlistMax: 5_000,
    limits: {
      api: { perSecond: 40, burst: 240 },
      partner: { perSecond: 25, burst: 150 },
      mcp: { perSecond: 40, burst: 240 },
    },
  },
  scale: {
    monthlyCredits: 50_000,
    watchlistMax: 50_000,
    limits: {
      api: { perSecond: 100, burst: 600 },
      partner: { perSecond: 100, burst: 600 },
      mcp: { perSecond: 100, burst: 600 },
    },
  },
} as const satisfies Record<string, Plan>

interface Plan {
  monthlyCredits: number
  watchlistMax: number
  limits: Record<LimitClass, { perSecond: number; burst: number }>
}

/** Which of a plan's rate limits an endpoint falls under. */
export type LimitClass = 'api' | 'partner' | 'mcp'

export type PlanName = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as [PlanName, ...PlanName[]]

/** Credits given once, when the e-mail address is verified. */
export const WELCOME_CREDITS = 25
