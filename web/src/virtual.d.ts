/// <reference types="svelte" />
/// <reference types="vite/client" />
declare module "virtual:catalogue" {
  const words: Record<"en" | "fr", Record<string, string>>;
  export default words;
}

declare namespace svelteHTML {
  interface HTMLAttributes<T> {
    onwhere?: (event: Event) => void;
  }
}
