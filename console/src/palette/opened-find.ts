import { useEffect } from 'react'
import { useAccount } from '../account.ts'
import { addFind } from './recent-finds.ts'

/** Keeps what a screen shows for “Recent” of “Find anything”, however the person came there; null while it is not loaded. */
export function useOpenedFind(opened: { title: string; detail: string; href: string } | null): void {
  const accountId = useAccount().data?.account_id
  const { title = '', detail = '', href = '' } = opened ?? {}
  useEffect(() => {
    if (accountId !== undefined && href !== '') addFind(accountId, { title, detail, href })
  }, [accountId, title, detail, href])
}
