// Asks the server by its JSON API.

/** The server asks for a token. */
export class LoginNeeded extends Error {}

/** Returns what the server says at `path`. Throws an Error for people if it says nothing good. */
export async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Error("The server does not answer.");
  }
  if (answer.status === 401) throw new LoginNeeded(await answer.text());
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return [202, 204].includes(answer.status) ? null : answer.json();
}

/** Lets this browser ask with the token from now on. Throws LoginNeeded if it is wrong. */
export const log_in = (token) =>
  ask("/login", { method: "POST", body: new URLSearchParams({ token }) });
export const log_out = () => ask("/logout", { method: "POST" });
/** Ends a call that waits or is under way. */
export const cancel_call = (number) => ask(`/api/calls/${number}`, { method: "DELETE" });
/** Lets an array or an object on the ranks be freed after the call under way. */
export const free_kept = (name) =>
  ask(`/api/arrays/${encodeURIComponent(name)}`, { method: "DELETE" });
