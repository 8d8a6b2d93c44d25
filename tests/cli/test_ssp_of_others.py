"""SSP packages as other tools write them: the same numbers as the same system in TOML."""

import zipfile

from conftest import done
from systems import FMUS, csv_columns, run, write

# As OMSimulator saves: connectors of the system, a system without elements, parameters of components inline, a parameter that
# is connected and set, annotations of its own, geometry; and beside them what other tools have.
SSD = """<?xml version="1.0" encoding="ISO-8859-1"?>
<ssd:SystemStructureDescription xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
    xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping"
    xmlns:oms="https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd"
    xmlns:gui="urn:a.tool" name="Größe" version="1.0" generationTool="somebody">
  <ssd:System name="root">
    <ssd:Connectors>
      <ssd:Connector name="k_cref" kind="parameter"><ssc:Real/></ssd:Connector>
      <ssd:Connector name="Output_cref" kind="output"><ssc:Real/></ssd:Connector>
    </ssd:Connectors>
    <ssd:ParameterBindings>
      <ssd:ParameterBinding><ssd:ParameterValues>
        <ssv:ParameterSet version="1.0" name="parameters"><ssv:Parameters>
          <ssv:Parameter name="k_cref"><ssv:Real value="1.5"/></ssv:Parameter>
        </ssv:Parameters></ssv:ParameterSet>
      </ssd:ParameterValues></ssd:ParameterBinding>
    </ssd:ParameterBindings>
    <ssd:Elements>
      <ssd:System name="foo"><ssd:Connectors>
        <ssd:Connector name="F_cref" kind="parameter"><ssc:Real/></ssd:Connector>
      </ssd:Connectors></ssd:System>
      <ssd:Component name="a" source="resources/sub%20folder/vanderpol.fmu">
        <ssd:Connectors>
          <ssd:Connector name="mu" kind="parameter"><ssc:Real unit="1"/></ssd:Connector>
          <ssd:Connector name="u" kind="input"><ssc:Real/><ssd:ConnectorGeometry x="0.0" y="0.5"/></ssd:Connector>
          <ssd:Connector name="x0" kind="output"/>
        </ssd:Connectors>
        <ssd:ElementGeometry x1="0" y1="0" x2="1" y2="1"/>
        <ssd:ParameterBindings>
          <ssd:ParameterBinding><ssd:ParameterValues>
            <ssv:ParameterSet version="1.0" name="parameters"><ssv:Parameters>
              <ssv:Parameter name="mu"><ssv:Real value="10"/></ssv:Parameter>
            </ssv:Parameters></ssv:ParameterSet>
          </ssd:ParameterValues></ssd:ParameterBinding>
        </ssd:ParameterBindings>
      </ssd:Component>
      <ssd:Component name="b" type="application/x-fmu-sharedlibrary" source="resources/sub%20folder/vanderpol.fmu">
        <ssd:Connectors>
          <ssd:Connector name="mu" kind="parameter"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="u" kind="input"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="x1" kind="output"><ssc:Real/></ssd:Connector>
        </ssd:Connectors>
        <ssd:ParameterBindings>
          <ssd:ParameterBinding source="resources/sub%20folder/b.ssv">
            <ssd:ParameterMapping source="resources/sub%20folder/b.ssm"/>
          </ssd:ParameterBinding>
        </ssd:ParameterBindings>
      </ssd:Component>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="" startConnector="k_cref" endElement="a" endConnector="mu"/>
      <ssd:Connection startElement="a" startConnector="mu" endElement="b" endConnector="mu">
        <ssc:LinearTransformation factor="2.0"/>
      </ssd:Connection>
      <ssd:Connection startElement="a" startConnector="x0" endElement="b" endConnector="u" suppressUnitConversion="true"/>
      <ssd:Connection startElement="b" startConnector="x1" endElement="a" endConnector="u"/>
      <ssd:Connection startElement="a" startConnector="x0" endElement="" endConnector="Output_cref"/>
    </ssd:Connections>
    <ssd:Annotations>
      <ssc:Annotation type="org.openmodelica"><oms:Annotations><oms:SimulationInformation>
        <oms:FixedStepMaster description="oms-ma" stepSize="0.010000" relativeTolerance="0.000100"/>
      </oms:SimulationInformation></oms:Annotations></ssc:Annotation>
      <ssc:Annotation type="a.tool"><gui:View zoom="2"/></ssc:Annotation>
    </ssd:Annotations>
  </ssd:System>
  <ssd:Units><ssc:Unit name="1"><ssc:BaseUnit/></ssc:Unit></ssd:Units>
  <ssd:DefaultExperiment startTime="0.000000" stopTime="1.000000">
    <ssd:Annotations><ssc:Annotation type="org.openmodelica"><oms:Annotations>
      <oms:SimulationInformation resultFile="x.mat" loggingInterval="0.000000" bufferSize="100" signalFilter=""/>
    </oms:Annotations></ssc:Annotation></ssd:Annotations>
  </ssd:DefaultExperiment>
</ssd:SystemStructureDescription>
"""
SSV = """<?xml version="1.0" encoding="UTF-8"?>
<ssv:ParameterSet xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues" version="1.0" name="b">
  <ssv:Parameters>
    <ssv:Parameter name="half"><ssv:Real value="0.25"/></ssv:Parameter>
    <ssv:Parameter name="nobody"><ssv:Real value="1"/></ssv:Parameter>
  </ssv:Parameters>
</ssv:ParameterSet>
"""
SSM = """<?xml version="1.0" encoding="UTF-8"?>
<ssm:ParameterMapping xmlns:ssm="http://ssp-standard.org/SSP1/SystemStructureParameterMapping"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon" version="1.0">
  <ssm:MappingEntry source="half" target="x0"><ssc:LinearTransformation factor="2" offset="0.5"/></ssm:MappingEntry>
</ssm:ParameterMapping>
"""


def packed(folder, ssd):
    file = folder / "other.ssp"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("SystemStructure.ssd", ssd.encode("latin-1"))
        archive.writestr("resources/sub folder/b.ssv", SSV)
        archive.writestr("resources/sub folder/b.ssm", SSM)
        archive.write(FMUS / "vanderpol.2.fmu", "resources/sub folder/vanderpol.fmu")
    return file


def test_a_package_like_those_of_omsimulator_runs_like_its_twin_in_toml(tmp_path):
    done(run(packed(tmp_path, SSD), "--out", tmp_path / "ssp.csv", "--vars", "*.x0,*.x1"))
    twin = write(tmp_path, '[system]\nname = "twin"\n'
                 f'[[fmu]]\nname = "a"\nfile = "{FMUS}/vanderpol.2.fmu"\nset = {{ mu = 1.5 }}\n'
                 f'[[fmu]]\nname = "b"\nfile = "{FMUS}/vanderpol.2.fmu"\nset = {{ mu = 3.0, x0 = 1.0 }}\n'
                 '[[connection]]\nfrom = "a.x0"\nto = "b.u"\n[[connection]]\nfrom = "b.x1"\nto = "a.u"\n'
                 "[master]\nstep = 0.01\nstop = 1.0\n")
    done(run(twin, "--out", tmp_path / "twin.csv", "--vars", "*.x0,*.x1"))
    ours, theirs = csv_columns(tmp_path / "ssp.csv"), csv_columns(tmp_path / "twin.csv")
    assert (ours["b.x1"] == theirs["b.x1"]).all() and (ours["a.x0"] == theirs["a.x0"]).all()
    assert abs(ours["b.x0"][0] - 1.0) < 1e-15


def test_parameters_that_are_connected_in_a_circle_are_refused(tmp_path):
    circle = SSD.replace('startElement="" startConnector="k_cref" endElement="a"', 'startElement="b" startConnector="mu" endElement="a"')
    result = run(packed(tmp_path, circle))
    assert result.returncode == 65 and "is not an input (parameter)" in result.stderr
