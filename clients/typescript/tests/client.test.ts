// The client against the service that HIPPOGRAPH_URL names; HIPPOGRAPH_TOKEN acts for everybody. `npm test` alone does
// not start it: tests/test_typescript.py does.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import {
  Conflict,
  Hippograph,
  HippographError,
  InvalidInput,
  type Memory,
  NotFound,
  ServiceError,
  Unauthenticated,
  Unreachable,
} from "../src/index.js";

const url = process.env["HIPPOGRAPH_URL"] ?? "";
const token = process.env["HIPPOGRAPH_TOKEN"] ?? "";

function newcomer(more: { url?: string; retries?: number } = {}): Hippograph {
  return new Hippograph({ url, token, user: `user-${randomUUID().slice(0, 8)}`, chat: "Everyday", persona: "Atlas", ...more });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test("facts are kept, found, corrected and forgotten", async () => {
  const memory = newcomer();
  const [kept] = await memory.remember("My sister Lena lives in Trieste.");
  assert.ok(kept && !kept.confirmed);
  const [again] = await memory.remember({ content: "My sister Lena lives in Trieste.", tags: ["family"] });
  assert.deepEqual([kept.memoryId, true], [again?.memoryId, again?.confirmed]);
  const [found] = await memory.search("Where does Lena live?");
  assert.equal("My sister Lena lives in Trieste.", found?.memory.content);
  const context = await memory.context("Where does Lena live?", { budget: 500 });
  assert.match(context.text, /Trieste/);
  assert.ok(context.tokens <= 500);
  const corrected: Memory | null = await memory.correct(kept.memoryId, "My sister Lena lives in Udine.");
  assert.ok(corrected);
  assert.equal(true, (await memory.pin(corrected.id))?.pinned);
  assert.equal(false, (await memory.unpin(corrected.id))?.pinned);
  assert.ok(await memory.confirm(corrected.id));
  await memory.forget(corrected.id);
  assert.deepEqual([], await memory.search("Lena"));
});

test("a talk is recorded once, and a closed session has a summary", async () => {
  const memory = newcomer();
  const said = [
    { role: "user", content: "I have to call the vet about Nanny tomorrow.", id: "1", time: "2026-03-01T12:00Z" },
    { role: "assistant", content: "I will remind you.", id: "2", time: "2026-03-01T12:01Z" },
  ] as const;
  const first = await memory.record(...said);
  const again = await memory.at({ chat: "Everyday" }).record(...said);
  assert.deepEqual(
    first.map((each) => [each.memoryId, true]),
    again.map((each) => [each.memoryId, each.repeated]),
  );
  await assert.rejects(memory.record({ role: "user", content: "I have to call nobody.", id: "1" }), Conflict);
  assert.match((await memory.closeSession())?.content ?? "", /vet/);
  assert.equal(null, await memory.closeSession());
  const turns = await all(memory.memories({ types: ["EPISODIC"] }));
  assert.deepEqual(["I will remind you.", said[0].content], turns.slice(-2).map((each) => each.content));
  assert.ok((await memory.statistics()).memories >= 2);
});

test("lists are read page by page, and many facts in parts", async () => {
  const memory = newcomer();
  const facts = Array.from({ length: 101 }, (_, number) => ({ content: `Box ${number} holds cables.`, tags: ["boxes"] }));
  assert.equal(101, new Set((await memory.remember(...facts)).map((each) => each.memoryId)).size);
  assert.equal(101, (await all(memory.memories({ tags: ["boxes"] }))).length);
  assert.equal(null, await memory.card("person:nobody_at_all"));
});

test("blocks, todos and state", async () => {
  const memory = newcomer();
  const { version } = await memory.writeBlock("active_context", "packing");
  await assert.rejects(memory.writeBlock("active_context", "resting"), Conflict);
  assert.equal(version + 1, (await memory.writeBlock("active_context", "resting", version)).version);
  assert.deepEqual(["resting"], (await memory.blocks()).map((each) => each.content));
  assert.ok(await memory.deleteBlock("active_context"));
  assert.equal(null, await memory.block("active_context"));
  const todo = await memory.addTodo("Call the vet", { dueAt: "2030-01-01" });
  assert.equal("DONE", (await memory.setTodo(todo.id, "DONE")).status);
  assert.deepEqual([[], [todo.id]], [await all(memory.todos()), (await all(memory.todos("DONE"))).map(({ id }) => id)]);
  await memory.setState("preferred_address", "Captain");
  assert.deepEqual(["Captain"], (await memory.states()).map((each) => each.value));
});

test("errors have a class for each code", async () => {
  const memory = newcomer();
  await assert.rejects(memory.remember(" "), (error) => error instanceof InvalidInput && error.field === "facts.content");
  await assert.rejects(memory.forget("0".repeat(32)), (error) => error instanceof NotFound && error.code === "NOT_FOUND");
  await assert.rejects(new Hippograph({ url, token: "hippo_none" }).statistics(), Unauthenticated);
  await assert.rejects(new Hippograph({ url, token, user: "ada" }).record({ role: "user", content: "Hi" }), TypeError);
  await assert.rejects(memory.execute("{ nothing }"), ServiceError);
  await assert.rejects(new Hippograph({ url: "http://127.0.0.1:9", retries: 1 }).addTodo("x"), Unreachable);
});

test("a lost answer is asked for again, what is not to be repeated is not", async () => {
  let [losing, passed] = [0, 0];
  const flaky: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = { "content-type": "application/json", authorization: `${request.headers.authorization}` };
    const user = `${request.headers["hippograph-user"]}`;
    const body = Buffer.concat(chunks).toString();
    const answer = await fetch(url + request.url, { method: "POST", body, headers: { ...headers, "hippograph-user": user } });
    const text = await answer.text();
    passed++;
    if (losing-- > 0) request.socket.destroy();
    else response.setHeader("content-type", "application/json").end(text);
  });
  await new Promise<void>((listening) => flaky.listen(0, "127.0.0.1", listening));
  try {
    const memory = newcomer({ url: `http://127.0.0.1:${(flaky.address() as AddressInfo).port}` });
    await memory.record({ role: "user", content: "Hello." });
    losing = 2;
    const [recorded] = await memory.record({ role: "user", content: "I keep goats." });
    assert.equal(true, recorded?.repeated);
    losing = 0;
    assert.equal(2, (await all(memory.memories({ types: ["EPISODIC"] }))).length);
    [losing, passed] = [1, 0];
    await assert.rejects(memory.addTodo("Call the vet"), (error) => error instanceof HippographError && error.code === "UNREACHABLE");
    assert.equal(1, passed);
  } finally {
    flaky.closeAllConnections();
    flaky.close();
  }
});
