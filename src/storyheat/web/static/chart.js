/* The chart comes alive: pointer, touch and keys read out one hour. Without this file the page is complete:
   the same values stand in the table behind the chart, which is also where this script reads them. */
(function () {
  "use strict";
  document.querySelectorAll("[data-chart]").forEach(function (fig) {
    var plot = fig.querySelector(".plot"), svg = plot.querySelector("svg");
    var table = document.getElementById(fig.dataset.table), out = fig.querySelector(".readout");
    if (!table || !out) return;
    var top = +svg.dataset.top, bottom = +svg.dataset.bottom, max = +svg.dataset.max;
    var rows = Array.prototype.map.call(table.querySelectorAll("tbody tr[data-x]"), function (tr) {
      var c = tr.cells;
      return { x: +tr.dataset.x, v: tr.dataset.v === "" ? null : +tr.dataset.v, when: c[0].textContent.trim(), iso: c[0].querySelector("time").dateTime,
        href: c[0].querySelector("a").getAttribute("href"), heat: c[1].textContent.trim(), voices: c[2].textContent.trim(),
        fresh: c[3].textContent.trim(), standing: c[4].textContent.trim(), dev: tr.dataset.dev || "", who: tr.dataset.new || "" };
    });
    if (!rows.length) return;
    var home = +fig.dataset.home || 0, at = home, held = false;

    var ns = "http://www.w3.org/2000/svg", g = svg.appendChild(document.createElementNS(ns, "g"));
    g.setAttribute("class", "cursor");
    var line = g.appendChild(document.createElementNS(ns, "line")), ring = g.appendChild(document.createElementNS(ns, "circle"));
    line.setAttribute("y1", top - 4); line.setAttribute("y2", bottom); ring.setAttribute("r", 5);

    var scrub = document.createElement("div");
    scrub.className = "scrub"; scrub.tabIndex = 0;
    var attrs = { role: "slider", "aria-label": "Hour of the heat chart", "aria-orientation": "horizontal", "aria-valuemin": 0,
      "aria-valuemax": rows.length - 1, "aria-describedby": fig.querySelector(".hint").id };
    Object.keys(attrs).forEach(function (k) { scrub.setAttribute(k, attrs[k]); });
    plot.appendChild(scrub);
    fig.querySelectorAll("[data-js]").forEach(function (e) { e.hidden = false; });
    fig.querySelectorAll("[data-nojs]").forEach(function (e) { e.hidden = true; });

    var when = out.querySelector(".when"), text = out.querySelector("output"), link = out.querySelector("a"), timer;
    function part(cls, s) { var e = document.createElement("span"); if (cls) e.className = cls; e.textContent = s; return e; }
    function count(n, one, many) { return n + " " + (n === "1" ? one : many); }
    function show(i, cursor) {
      at = Math.max(0, Math.min(rows.length - 1, i));
      var r = rows[at];
      g.toggleAttribute("hidden", !cursor);
      line.setAttribute("x1", r.x + "%"); line.setAttribute("x2", r.x + "%");
      ring.setAttribute("cx", r.x + "%");
      ring.setAttribute("visibility", r.v === null ? "hidden" : "visible");
      if (r.v !== null) ring.setAttribute("cy", bottom - (bottom - top) * Math.min(r.v, max) / max);
      scrub.setAttribute("aria-valuenow", at); scrub.setAttribute("aria-valuetext", r.when);
      when.textContent = r.when + " " + fig.dataset.zone; when.dateTime = r.iso; link.href = r.href;
      svg.querySelectorAll(".pin").forEach(function (p) { p.classList.toggle("on", cursor && r.dev !== "" && (" " + r.dev + " ").indexOf(" " + p.dataset.dev + " ") >= 0); });
      clearTimeout(timer);
      timer = setTimeout(function () {                     // one announcement per stop, not one per pixel
        var f = document.createDocumentFragment();
        if (r.v === null) f.append(part("", "Heat not known: nothing was watched"));
        else f.append(part("v", "Heat " + r.heat), part("", count(r.voices, "voice", "voices")), part("", r.fresh + " new"), part("", r.standing));
        if (r.v !== null && !r.dev) f.append(part("dev", r.who ? "New: " + r.who : "Nothing new in this hour; what was said fades"));
        r.dev.split(" ").filter(Boolean).forEach(function (n) {
          var d = document.getElementById("dev-" + n);
          if (d) f.append(part("dev", "Development " + n + ": " + d.querySelector("h3").textContent.trim()));
        });
        text.replaceChildren(f);
      }, cursor ? 60 : 0);
    }
    function nearest(e) {
      var b = svg.getBoundingClientRect(), p = (e.clientX - b.left) / b.width * 100, lo = 0, hi = rows.length - 1;
      while (hi - lo > 1) { var m = (lo + hi) >> 1; if (rows[m].x < p) lo = m; else hi = m; }
      return p - rows[lo].x < rows[hi].x - p ? lo : hi;
    }
    scrub.addEventListener("pointermove", function (e) { if (e.pointerType === "mouse" ? !held : e.buttons || e.pressure) show(nearest(e), true); });
    scrub.addEventListener("pointerdown", function (e) { held = e.pointerType !== "mouse" || !held; show(nearest(e), true); });
    scrub.addEventListener("pointerleave", function (e) { if (e.pointerType === "mouse" && !held && document.activeElement !== scrub) show(home, false); });
    scrub.addEventListener("focus", function () { show(at, true); });
    scrub.addEventListener("blur", function () { if (!held) show(home, false); });
    scrub.addEventListener("keydown", function (e) {
      if (e.altKey || e.ctrlKey || e.metaKey) return;
      var to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageUp: at + 24, PageDown: at - 24, Home: 0, End: rows.length - 1 }[e.key];
      if (e.key === "Escape") { held = false; show(home, false); }
      else if (e.key === "Enter") { location.href = rows[at].href; }
      else if (to === undefined) return;
      else show(to, true);
      e.preventDefault();
    });
    show(home, false);
  });
  addEventListener("beforeprint", function () { document.querySelectorAll("details").forEach(function (d) { d.open = true; }); });
})();
