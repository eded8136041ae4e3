// Draws what a memory or an entity is linked with, from what stands beside it. The list on the page says the same.
"use strict";

// How large the outermost ring is where the canvas is narrow: words stay readable, and the drawing is dragged.
const PHONE = [290, 540];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function style(narrow) {
  const words = { "font-family": "system-ui, sans-serif", color: colour("ink") };
  return [
    { selector: "node", style: {
      ...words, label: "data(label)", "font-size": 12, "text-wrap": "wrap", "text-max-width": narrow ? 84 : 120, "text-valign": "bottom", "text-margin-y": 5,
      "background-color": (node) => colour(node.data("kind")), width: 22, height: 22,
      "text-background-color": colour("sheet"), "text-background-opacity": 0.85, "text-background-padding": 2 } },
    { selector: "node[kind = 'memory']", style: { shape: "round-rectangle", width: 16, height: 16, "font-size": 11, color: colour("soft") } },
    { selector: "node[middle]", style: { width: 34, height: 34, "font-size": 13, "font-weight": 600, color: colour("ink"), "border-width": 4, "border-color": colour("accent-soft") } },
    { selector: "edge", style: {
      ...words, label: "data(label)", "font-size": 10, color: colour("soft"), width: 1.2, "line-color": colour("tie"),
      "curve-style": "bezier", "target-arrow-shape": "triangle", "target-arrow-color": colour("tie"), "arrow-scale": 0.8,
      "text-background-color": colour("sheet"), "text-background-opacity": 0.9, "text-background-padding": 1 } },
    { selector: "edge[label = 'names']", style: { label: "" } },
  ];
}

function elements(graph) {
  const nodes = graph.nodes.map((node, place) => ({ data: place ? node : { ...node, middle: true } }));
  return [...nodes, ...graph.links.map((data) => ({ data }))];
}

// Places for all nodes: the first in the middle, the others on rings by how many links away they are, each beside the one
// that led to it. Rings are as wide as the canvas, so that words have room.
function places(graph, width, height) {
  const near = new Map(graph.nodes.map((node) => [node.id, []]));
  for (const link of graph.links) {
    near.get(link.source).push(link.target);
    near.get(link.target).push(link.source);
  }
  const middle = graph.nodes[0].id;
  const led = new Map([[middle, []]]);
  const depth = new Map([[middle, 0]]);
  for (const id of depth.keys()) {
    for (const other of near.get(id)) {
      if (depth.has(other)) continue;
      depth.set(other, depth.get(id) + 1);
      led.get(id).push(other);
      led.set(other, []);
    }
  }
  const leaves = (id) => led.get(id).reduce((sum, other) => sum + leaves(other), 0) || 1;
  const rings = Math.max(1, ...depth.values());
  const found = {};
  function put(id, from, to) {
    const angle = (from + to) / 2;
    const out = depth.get(id) / rings;
    found[id] = { x: (width / 2) * out * Math.cos(angle), y: (height / 2) * out * Math.sin(angle) };
    const step = (to - from) / leaves(id);
    let start = from;
    for (const other of led.get(id)) {
      const end = start + step * leaves(other);
      put(other, start, end);
      start = end;
    }
  }
  put(middle, -Math.PI / 2, 1.5 * Math.PI);
  return found;
}

function draw(box) {
  const graph = JSON.parse(box.dataset.graph);
  box.hidden = false;
  const canvas = box.querySelector(".canvas");
  const narrow = canvas.clientWidth < 600;
  const [width, height] = narrow ? PHONE : [canvas.clientWidth, canvas.clientHeight];
  const positions = places(graph, width, height);
  const drawing = cytoscape({
    container: canvas, elements: elements(graph), style: style(narrow), minZoom: 0.3, maxZoom: 1.4, userZoomingEnabled: false,
    layout: { name: "preset", positions: (node) => positions[node.id()], padding: narrow ? 8 : 30 },
  });
  drawing.on("tap", "node", (event) => { location.href = event.target.data("href"); });
  drawing.on("mouseover", "node", () => { canvas.style.cursor = "pointer"; });
  drawing.on("mouseout", "node", () => { canvas.style.cursor = ""; });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawing.style(style(narrow)));
  box.dataset.drawn = graph.nodes.length;
}

for (const box of document.querySelectorAll("[data-graph]")) draw(box);
