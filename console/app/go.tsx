import type { ComponentChildren } from 'preact';
import { Link, useLocation, useSearch } from 'wouter-preact';

import { carried, withValues } from './address';

interface GoProps {
  to: string;
  children: ComponentChildren;
  class?: string;
  'aria-current'?: 'page' | 'true' | undefined;
  'aria-label'?: string;
  'data-part'?: string;
}

/** A link within the console. */
export function Go({ to, ...rest }: GoProps) {
  return <Link href={carried(to, useSearch())} {...rest} />;
}

/** Goes to another page of the console. */
export function useGo(): (to: string, options?: { replace?: boolean }) => void {
  const [, navigate] = useLocation();
  const search = useSearch();
  return (to, options) => navigate(carried(to, search), options);
}

/** The query of the address, and a way to change it without a new entry in the history. */
export function useQueryValues() {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const put = (values: Parameters<typeof withValues>[1]): void => {
    const query = withValues(globalThis.location.search, values).toString();
    navigate(query ? `${path}?${query}` : path, { replace: true });
  };
  return { query: new URLSearchParams(search), put };
}
